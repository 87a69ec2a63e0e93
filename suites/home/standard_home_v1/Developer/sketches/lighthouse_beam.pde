// Two flashes, a pause. For the cover of the novel.
float angle = 0;

void setup() {
  size(600, 400);
  noStroke();
}

void draw() {
  background(10, 14, 30);
  translate(width / 2, height * 0.7);
  rotate(angle);
  fill(255, 240, 180, 90);
  triangle(0, 0, 500, -40, 500, 40);
  angle += 0.02;
}
