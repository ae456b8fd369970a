// odeint -- Boost odeint: runge_kutta4 with fixed steps, for single systems and for ensembles of 128 as one state.
//
// Modes: `each` has a std::array for the state of one system; `ensemble` has one for 128 systems, small enough for the
// nearest cache, with a right-hand side and an algebra that the compiler may turn into vector instructions.
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cstring>
#include <functional>

#include "peer.h"
#include "physics.h"

using namespace boost::numeric;

namespace
{

enum { TOGETHER = 128 };

typedef std::array<real, STATE>            Single;
typedef std::array<real, STATE * TOGETHER> Ensemble;

struct Motion {
    Physics physics;
    void    operator()(const Single &y, Single &dy, real) const
    {
        slope(&physics, y.data(), dy.data());
    }
};

// The state holds coordinate after coordinate, of all systems each.
struct Motions {
    Physics physics[TOGETHER];
    void    operator()(const Ensemble &y, Ensemble &dy, real) const
    {
        for (int s = 0; s < TOGETHER; ++s) {
            Single one, rate;
            for (int i = 0; i < STATE; ++i)
                one[i] = y[i * TOGETHER + s];
            slope(&physics[s], one.data(), rate.data());
            for (int i = 0; i < STATE; ++i)
                dy[i * TOGETHER + s] = rate[i];
        }
    }
};

template <class State, class System> void integrate(const System &system, const Job *job, State &y)
{
    odeint::runge_kutta4<State, real, State, real, odeint::array_algebra> stepper;
    const real h = static_cast<real>(job->h);
    for (size_t n = 0; n < job->steps; ++n)
        stepper.do_step(std::cref(system), y, static_cast<real>(n) * h, h);
}

void run_each(const Job *job)
{
    Motion motion;
    Single y;
    for (size_t i = 0; i < job->points; ++i) {
        physics_set(job->start[i * ROW], &motion.physics);
        for (int k = 0; k < STATE; ++k)
            y[k] = static_cast<real>(job->start[i * ROW + 1 + k]);
        integrate(motion, job, y);
        for (int k = 0; k < STATE; ++k)
            job->final[i * STATE + k] = y[k];
    }
}

// A last ensemble that is not full is filled up with its first system.
void run_ensembles(const Job *job)
{
    static Motions motions;
    Ensemble       y;
    for (size_t first = 0; first < job->points; first += TOGETHER) {
        for (size_t s = 0; s < TOGETHER; ++s) {
            const double *row = job->start + (first + s < job->points ? first + s : first) * ROW;
            physics_set(row[0], &motions.physics[s]);
            for (int i = 0; i < STATE; ++i)
                y[i * TOGETHER + s] = static_cast<real>(row[1 + i]);
        }
        integrate(motions, job, y);
        for (size_t s = 0; s < TOGETHER && first + s < job->points; ++s)
            for (int i = 0; i < STATE; ++i)
                job->final[(first + s) * STATE + i] = y[i * TOGETHER + s];
    }
}

}  // namespace

void *peer_make(const Job *)
{
    return nullptr;
}

void peer_run(void *, const Job *job)
{
    if (std::strcmp(job->mode, "ensemble") == 0)
        run_ensembles(job);
    else
        run_each(job);
}

void peer_end(void *)
{
}
