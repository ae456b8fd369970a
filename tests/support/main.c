// main -- runs the tests of programs that have no main() of their own.
#include "support/test.h"

int main(void)
{
    return test_run("tests", NULL);
}
