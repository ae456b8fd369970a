//: metric: two
//: title: Two results
//: results:
//:   first_of_two: {unit: "1", about: "zero"}
//:   second_of_two: {unit: "1", about: "one"}

static real M(first_of_two)(const Point *q)
{
    return ZERO;
}
static real M(second_of_two)(const Point *q)
{
    return ONE;
}
