import { MESSAGES } from "./messages";

export class Translator {
  private readonly rules: Intl.PluralRules;

  constructor(readonly language: string) {
    this.rules = new Intl.PluralRules(language);
  }

  text(key: string, values: Record<string, string | number> = {}): string {
    const found = MESSAGES[this.language]?.[key] ?? MESSAGES.en[key] ?? key;
    return fillIn(typeof found === "string" ? found : found.other, values);
  }

  plural(key: string, n: number): string {
    const forms = MESSAGES[this.language]?.[key] ?? MESSAGES.en[key];
    if (typeof forms !== "object") return this.text(key, { n });
    return fillIn(forms[this.rules.select(n)] ?? forms.other, { n });
  }
}

export function chooseLanguage(wanted: readonly string[], fallback = "en"): string {
  const short = wanted.map((each) => each.slice(0, 2).toLowerCase());
  return short.find((each) => each in MESSAGES) ?? fallback;
}

function fillIn(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
