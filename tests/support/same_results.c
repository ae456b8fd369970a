// same_results -- compares two results of the library, array by array.
#include "support/same_results.h"

#include "support/test.h"

size_t same_results(const PendulaResult *a, const PendulaResult *b)
{
    size_t arrays = 0;
    assert_int_equal(pendula_result_groups(a), pendula_result_groups(b));
    for (size_t g = 0; g < pendula_result_groups(a); ++g) {
        const char  *label = pendula_result_label(a, g);
        PendulaArray x = {.size = sizeof x}, y = {.size = sizeof y};
        assert_string_equal(label, pendula_result_label(b, g));
        for (size_t i = 0; pendula_result_array(a, label, i, &x); ++i, ++arrays) {
            if (!pendula_result_find(b, label, x.name, &y))
                fail_msg("%s: no array '%s'", label, x.name);
            assert_string_equal(x.unit, y.unit);
            assert_int_equal(x.type, y.type);
            assert_int_equal(x.axis, y.axis);
            assert_int_equal(x.computed, y.computed);
            assert_int_equal(x.rank, y.rank);
            assert_int_equal(x.count, y.count);
            assert_true(x.fill == y.fill || (isnan(x.fill) && isnan(y.fill)));
            for (size_t d = 0; d < x.rank; ++d) {
                assert_string_equal(x.dims[d], y.dims[d]);
                assert_int_equal(x.shape[d], y.shape[d]);
            }
            double       *left = calloc(x.count, sizeof *left), *right = calloc(x.count, sizeof *right);
            PendulaError *error = NULL;
            if (!pendula_result_read(a, label, x.name, left, x.count, &error) ||
                !pendula_result_read(b, label, x.name, right, x.count, &error))
                fail_msg("%s", pendula_error_text(error));
            if (memcmp(left, right, x.count * sizeof *left) != 0)
                fail_msg("%s: '%s' differs", label, x.name);
            free(left);
            free(right);
        }
        for (size_t i = 0; pendula_result_text(a, label, "message", i); ++i)
            assert_string_equal(pendula_result_text(a, label, "message", i),
                                pendula_result_text(b, label, "message", i));
    }
    return arrays;
}
