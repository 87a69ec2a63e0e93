import { expect, test } from "vitest";
import { parseRecipe } from "./parse";

test("the first heading is the title", () => {
  expect(parseRecipe("# Soup\n\nBoil.").title).toBe("Soup");
});

test("without a time the timer is set to ten minutes", () => {
  expect(parseRecipe("# Soup").minutes).toBe(10);
});
