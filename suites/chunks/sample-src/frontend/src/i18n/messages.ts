/** Texts by language; `one` and `other` are forms for numbers. */
export const MESSAGES: Record<string, Record<string, string | Record<string, string>>> = {
  en: {
    "due.today": "due today",
    "due.soon": { one: "due tomorrow", other: "due in {n} days" },
    "due.late": { one: "one day late", other: "{n} days late" },
    "offline.notice": "No connection. What you do now is sent later.",
    "offline.waiting": { one: "one wish waiting", other: "{n} wishes waiting" },
    "search.none": "Nothing found for {typed}",
    "login.card": "Card number",
    "login.pin": "PIN",
    "form.required": "Please fill this in",
    "form.mail": "This is no mail address",
    "form.pin": "Four to eight digits, please",
    "form.isbn": "This is no ISBN",
  },
  de: {
    "due.today": "heute fällig",
    "due.soon": { one: "morgen fällig", other: "in {n} Tagen fällig" },
    "due.late": { one: "einen Tag überfällig", other: "{n} Tage überfällig" },
    "offline.notice": "Keine Verbindung. Eingaben werden später gesendet.",
    "search.none": "Nichts gefunden zu {typed}",
  },
};
