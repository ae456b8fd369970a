//: metric: taken
//: title: A metric of a result that the program has
//: results:
//:   x_max: {unit: "1", about: "taken"}

static real M(x_max)(const Point *q)
{
    return ZERO;
}
