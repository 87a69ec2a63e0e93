-- | The same idea as merge.py, written to understand it better.
module Crossing (crosses, degree) where

type Point = (Double, Double)
type Segment = (Point, Point)

side :: Point -> Point -> Point -> Double
side (ax, ay) (bx, by) (cx, cy) = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

crosses :: Segment -> Segment -> Bool
crosses (a, b) (c, d) = side a b c * side a b d < 0 && side c d a * side c d b < 0

degree :: Segment -> [Segment] -> Int
degree one = length . filter (crosses one)
