# swing.jl -- the end of a pendulum's swing from three heights, by the library's C functions: julia swing.jl
using Printf
const lib = get(ENV, "PENDULA_LIBRARY", "libpendula.so.0")

text = """
problem: pendulum
parameters: {x0: [0.5, 1.0, 1.5]}
methods: [rk4]
step: 0.01
end: 10
metrics: [x_final]
"""

# A function that fails leaves an error: its text is the exception's.
why = Ref{Ptr{Cvoid}}(C_NULL)
function done(value)
    why[] == C_NULL && return value
    message = unsafe_string(ccall((:pendula_error_text, lib), Cstring, (Ptr{Cvoid},), why[]))
    ccall((:pendula_error_free, lib), Cvoid, (Ptr{Cvoid},), why[])
    throw(ErrorException(message))
end

sweep = done(ccall((:pendula_sweep_from_text, lib), Ptr{Cvoid}, (Cstring, Ptr{UInt8}, Ref{Ptr{Cvoid}}), text, C_NULL, why))
result = done(ccall((:pendula_sweep_run, lib), Ptr{Cvoid}, (Ptr{Cvoid}, Ptr{Cvoid}, Ref{Ptr{Cvoid}}), sweep, C_NULL, why))
count = ccall((:pendula_result_size, lib), Csize_t, (Ptr{Cvoid}, Cstring, Cstring), result, "rk4", "x_final")
ends = zeros(count)
done(ccall((:pendula_result_read, lib), Bool, (Ptr{Cvoid}, Cstring, Cstring, Ptr{Cdouble}, Csize_t, Ref{Ptr{Cvoid}}),
           result, "rk4", "x_final", ends, count, why))
@printf("%.6f %.6f %.6f\n", ends...)
ccall((:pendula_result_free, lib), Cvoid, (Ptr{Cvoid},), result)
ccall((:pendula_sweep_free, lib), Cvoid, (Ptr{Cvoid},), sweep)
