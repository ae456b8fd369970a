# check_options -- command lines: what each kind of option takes, what is refused in which words, and what --help prints.
from checking import check, ended, folder, main

SWEEP = "problem: pendulum\nmethods: [rk4]\nstep: 0.1\nend: 1\n"


# A command line, and what its one line of error says.
REFUSED = (
    # Whole numbers: digits up to 2^64 - 1, or a number without a fraction.
    ("replay a.h5 --point 18446744073709551616", "--point takes a whole number, got '18446744073709551616'; see `pendula replay --help`"),
    ("replay a.h5 --point 1.5", "--point takes a whole number, got '1.5'"),
    ("replay a.h5 --point -1", "--point takes a whole number, got '-1'"),
    ("refine a.yaml --most 0", "--most takes a whole number from 1 to 4000000000, got '0'"),
    ("refine a.yaml --most 4000000001", "--most takes a whole number from 1 to 4000000000, got '4000000001'"),
    # Numbers in a range, lists and pairs of them.
    ("bench --seconds 1e-4", "--seconds: 0.0001 is too small, it must be at least 0.001"),
    ("bench --seconds 3601", "--seconds: 3601 is too large, it must be at most 3600"),
    ("diff a.h5 b.h5 --rtol -1", "--rtol: -1 is too small, it must be at least 0"),
    ("advise a.yaml --for 1e-3,0", "--for: 0 is too small, it must be greater than 0"),
    ("advise a.yaml --for 1,2,3,4 --for 5,6,7,8,9", "--for: 9 values, at most 8"),
    ("pairs rk4 theta2 --values 1,,2", "--values: '' is not a number"),
    ("pairs rk4 theta2 --band 2,1", "--band takes A,B with A < B, got '2,1'"),
    ("pairs rk4 theta2 --range 2", "--range takes A,B with A < B, got '2'"),
    # Words.
    ("plot a.h5 --kind maps", "phase, got 'maps'; did you mean 'map'? See `pendula plot --help`"),
    ("plot a.h5 --kind=", "--kind takes map, curves, trajectory, scatter, bifurcation, convergence, work-precision or phase, got ''"),
    ("export a.h5 --format cvs", "--format takes csv, got 'cvs'; did you mean 'csv'?"),
    ("run a.yaml --summary=xml", "--summary takes text, json or none, got 'xml'; see `pendula run --help`"),
    ("run a.yaml --fail-on some", "--fail-on takes any or all, got 'some'"),
    ("plot a.h5 --format png,png", "--format takes png, svg and pdf, each once, with commas, got 'png,png'"),
    ("plot a.h5 --format png,", "--format takes png, svg and pdf, each once, with commas, got 'png,'"),
    # Named values.
    ("replay a.h5 --at eps=1 --at eps=2", "--at: 'eps' is given twice"),
    ("replay a.h5 --at eps=1,k=x", "--at k: 'x' is not a number"),
    ("predict a.h5 --metric m --at =1", "--at takes NAME=VALUE,..., got '=1'"),
    ("export a.h5 --at=", "--at takes NAME=VALUE,..., got nothing"),
    # What a command reads itself.
    ("run a.yaml --shard 2/2", "--shard takes I/N, with I from 0 to N - 1 and N at most 65536, got '2/2'"),
    ("run a.yaml --device-memory 64XB", "--device-memory takes a size such as 64MiB, got '64XB'"),
    ("bench -d reference", "--device reference: it is not made to be fast; name an OpenCL device"),
    # Options themselves.
    ("replay a.h5 --pint 1", "unknown option '--pint'; did you mean '--point'? See `pendula replay --help`"),
    ("replay a.h5 -x", "unknown option '-x'; see `pendula replay --help`"),
    ("replay a.h5 --point", "option '--point' needs a value; see `pendula replay --help`"),
    ("replay a.h5 --trace=yes", "option '--trace=yes' takes no value"),
    # Arguments.
    ("diff a.h5", "which two result files? See `pendula diff --help`"),
    ("diff a.h5 b.h5 -- --json", "two result files at a time, got '--json' too"),
    ("info a.h5 b.h5", "one result file at a time, got 'a.h5' and 'b.h5'"),
    ("merge -o a.h5", "which shards?"),
    ("merge a.h5", "which file is to be made? -o FILE.h5"),
    ("spectrum", "which methods? Name some of `pendula list methods`, or `all`"),
    ("claims all", "'all' is one argument too many"),
)

# Two command lines that mean the same.
SAME = (
    ("pairs theta1 newmark --problem none --format csv --values 0.6,0.8", "pairs theta1 newmark --problem=none --form csv --values 0.6 --values 0.8"),
    ("plan sweep.yaml --no-time -s end=2", "plan --no-time -send=2 -- sweep.yaml"),
    ("spectrum rk4 --format json --omega-h 0.5", "spectrum --format csv --format json --omega-h 0.5 rk4"),
    ("show theta2 -p theta=0.5", "show --parameter theta=5e-1 theta2"),
)


def refusals():
    for line, words in REFUSED:
        code, out, err = ended(*line.split(" "))
        check(code == 2 and out == "" and words in err and err.count("\n") == 1, f"{line}: exit {code}: {err}{out}")


def equivalents():
    (folder / "sweep.yaml").write_text(SWEEP)
    for one, other in SAME:
        first, second = ended(*one.split(" ")), ended(*other.split(" "))
        check(first[0] == 0 and first[1] != "" and first[:2] == second[:2], f"{one} and {other}: {first} {second}")


# Each command of the list has help, with all options of which its pages speak, in order.
def help_pages():
    commands = [line.split()[0] for line in ended("--help")[1].split("\n") if line.startswith("  ") and line[2] != " "]
    check(len(commands) > 25, f"commands: {commands}")
    for command in commands:
        code, out, err = ended(command, "--help")
        check(code == 0 and err == "" and ("Usage: pendula " + command in out or command == "help"), f"{command} --help: {code} {out[:80]}{err}")
    out = ended("plot", "--help")[1]
    places = [out.find(words) for words in ("-o, --output=STEM", " The picture:\n", "--xlim=A,B", " Trajectories and phase portraits:\n", "--field=FIELD", "-?, --help")]
    check(places == sorted(places) and places[0] > 0, f"the parts of plot --help: {places}")


main(refusals, equivalents, help_pages, fine=f"{len(REFUSED)} refusals, {len(SAME)} pairs of command lines, all help: as they should be")
