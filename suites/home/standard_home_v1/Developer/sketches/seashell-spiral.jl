# A shell is a curve that grows while it turns. Each configuration of growth and turns gives another animal.
function shell(turns; growth = 0.18, points = 400)
    angles = range(0, 2π * turns; length = points)
    [(exp(growth * a) * cos(a), exp(growth * a) * sin(a)) for a in angles]
end

for (x, y) in shell(4)
    println(round(x; digits = 3), " ", round(y; digits = 3))
end
