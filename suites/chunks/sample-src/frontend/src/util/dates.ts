import { Translator } from "../i18n/translator";

const DAY = 24 * 60 * 60 * 1000;

export function parseDay(text: string): Date {
  const [year, month, day] = text.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, day));
}

export function addDays(text: string, days: number): string {
  return new Date(parseDay(text).getTime() + days * DAY).toISOString().slice(0, 10);
}

export function daysUntil(text: string, today: Date): number {
  const start = Date.UTC(today.getFullYear(), today.getMonth(), today.getDate());
  return Math.round((parseDay(text).getTime() - start) / DAY);
}

/** “today”, “in 3 days”, “5 days late”; further away, the date itself. */
export function describeDue(text: string, today: Date, words: Translator): string {
  const days = daysUntil(text, today);
  if (days === 0) return words.text("due.today");
  if (days < 0) return words.plural("due.late", -days);
  if (days <= 10) return words.plural("due.soon", days);
  return parseDay(text).toLocaleDateString(words.language, { day: "numeric", month: "long" });
}
