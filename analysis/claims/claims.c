// claims -- runs the rows one after the other.
#include "analysis/claims/claims.h"

// Passes the lab's progress on to the caller, with the number of rows done.
typedef struct Teller {
    const ClaimsRequest *request;
    size_t               done;
} Teller;

static void tell(const char *what, void *user)
{
    const Teller *teller = user;
    if (teller->request->progress)
        teller->request->progress(teller->done, what, teller->request->user);
}

static bool run_claim(Lab *lab, const Claim *claim, const ClaimsRequest *request, Error *err)
{
    double     numbers[CLAIM_NUMBERS];
    Finding    finding = {0};
    const bool ok =
        claim_measure(claim, lab, numbers, err) && lab_check(lab, err) && claim_judge(claim, numbers, &finding, err);
    if (ok)
        request->report(claim, &finding, request->user);
    claim_free_finding(&finding);
    return ok;
}

bool claims_run(const Ledger *ledger, const ClaimsRequest *request, Error *err)
{
    Teller teller = {.request = request};
    Lab   *lab = NULL;
    bool   ok = lab_open(request->device, tell, &teller, &lab, err);
    for (size_t i = 0; ok && i < ledger->count; ++i) {
        ok = run_claim(lab, &ledger->claims[i], request, err);
        teller.done += ok;
    }
    lab_close(lab);
    return ok;
}
