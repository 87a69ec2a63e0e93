// A recipe is a Markdown file: the first heading is the title, "45 minutes" sets the timer.

export function parseRecipe(text) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? "Without a name";
  const minutes = Number(/(\d+) minutes/.exec(text)?.[1] ?? 10);
  const steps = text.split(/\n\s*\n/).slice(1);
  return { title, minutes, steps };
}
