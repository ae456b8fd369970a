// test_raster -- sides of large maps: blocks of cells, even and uneven pixels, cells in any order.
#include "analysis/plot/figure.h"
#include "analysis/plot/raster.h"

#include "support/command.h"

enum { MOST_CELLS = 4096 };

typedef struct Sides {
    Arena      arena;
    double     values[MOST_CELLS], edges[MOST_CELLS + 1];
    RasterSide side;
} Sides;

static void divide(Sides *sides, size_t cells, size_t most, size_t least)
{
    figure_edges(sides->values, cells, sides->edges);
    assert_true(raster_side(sides->values, sides->edges, cells, (RasterSize){.most = most, .least = least},
                            &sides->arena, &sides->side, &err));
}

// Cells at even distances on a scale have equally many pixels each, as many as make the least number.
TEST(even_cells_share_the_pixels)
{
    Sides sides = {0};
    for (int logarithmic = 0; logarithmic < 2; ++logarithmic) {
        for (size_t i = 0; i < 100; ++i)
            sides.values[i] = logarithmic ? pow(1.1, (double)i) : (double)i;
        divide(&sides, 100, 1024, 250);
        assert_int_equal(sides.side.logarithmic, logarithmic);
        assert_int_equal(sides.side.pixels, 300);
        for (size_t pixel = 0; pixel < 300; ++pixel)
            assert_int_equal(sides.side.block_at[pixel], pixel / 3);
        // The middle of a cell is that of its second pixel.
        assert_float_equal(raster_place(&sides.side, sides.values[7]), 22.0, 1e-9);
        assert_float_equal(raster_place(&sides.side, sides.edges[0]), -0.5, 1e-9);
    }
    arena_free(&sides.arena);
}

// What is left over is a smaller block at the end, so that pixels are not blocks any more.
TEST(a_last_block_is_smaller)
{
    Sides sides = {0};
    for (size_t i = 0; i < 1001; ++i)
        sides.values[i] = (double)i;
    divide(&sides, 1001, 100, 40);
    assert_int_equal(sides.side.each, 11);
    assert_int_equal(sides.side.blocks, 91);
    assert_int_equal(sides.side.pixels, 91);
    for (size_t i = 0; i < 1002; ++i)
        sides.values[i] = (double)i;
    divide(&sides, 1002, 100, 40);
    assert_int_equal(sides.side.blocks, 92);
    assert_int_equal(sides.side.pixels, 100);
    assert_int_equal(sides.side.block_at[0], 0);
    assert_int_equal(sides.side.block_at[98], 89);
    assert_int_equal(sides.side.block_at[99], 90);
    assert_int_equal(raster_block(&sides.side, 1001), 91);
    arena_free(&sides.arena);
}

// Cells of a side that falls, or is in no order, are in the blocks of their places.
TEST(cells_may_have_any_order)
{
    Sides sides = {0};
    for (size_t i = 0; i < 1000; ++i)
        sides.values[i] = 1000.0 - (double)i;
    divide(&sides, 1000, 100, 40);
    for (size_t i = 0; i < 1000; ++i)
        assert_int_equal(raster_block(&sides.side, i), (999 - i) / 10);
    for (size_t i = 0; i < 1000; ++i)
        sides.values[i] = (double)(i * 7 % 1000);
    divide(&sides, 1000, 100, 40);
    for (size_t i = 0; i < 1000; ++i)
        assert_int_equal(raster_block(&sides.side, i), i * 7 % 1000 / 10);
    arena_free(&sides.arena);
}

TEST(a_single_cell_has_two_pixels)
{
    Sides sides = {.values = {3.0}};
    divide(&sides, 1, 1024, 400);
    assert_int_equal(sides.side.pixels, 2);
    assert_int_equal(sides.side.block_at[0] + sides.side.block_at[1], 0);
    arena_free(&sides.arena);
}

// A search among edges finds what a walk along them finds.
TEST(a_value_is_found_among_edges)
{
    static const double edges[] = {0.0, 1.0, 1.0, 2.5, 4.0};
    static const double values[] = {-1.0, 0.0, 0.5, 1.0, 2.4, 2.5, 4.0, 9.0};
    static const size_t cells[] = {0, 0, 0, 2, 2, 3, 3, 3};
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i)
        assert_int_equal(figure_cell(edges, 4, values[i]), cells[i]);
}
