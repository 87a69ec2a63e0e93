/** A rule returns the key of a message, or null when it is content. */
export type Rule = (value: string) => string | null;

export const required: Rule = (value) => (value.trim() ? null : "form.required");

export const mail: Rule = (value) => (/^[^@\s]+@[^@\s]+\.[^@\s]{2,}$/.test(value) ? null : "form.mail");

export const pin: Rule = (value) => (/^\d{4,8}$/.test(value) ? null : "form.pin");

export const isbn: Rule = (value) => {
  const digits = value.replace(/[\s-]/g, "");
  return isIsbn13(digits) ? null : "form.isbn";
};

function isIsbn13(digits: string): boolean {
  if (!/^\d{13}$/.test(digits)) return false;
  const total = [...digits].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 ? 3 : 1), 0);
  return total % 10 === 0;
}
