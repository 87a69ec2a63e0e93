import { ApiClient } from "../api/client";
import { FormState } from "../forms/form";
import { pin, required } from "../forms/rules";
import { Translator } from "../i18n/translator";
import { h } from "../util/dom";

export function loginForm(client: ApiClient, words: Translator, done: () => void): HTMLElement {
  const form = new FormState({ card: [required], pin: [required, pin] });
  const hint = h("p", { role: "alert" });

  function field(name: "card" | "pin", type: string): HTMLElement {
    const onInput = (event: Event) => form.change(name, (event.target as HTMLInputElement).value);
    return h("label", {}, words.text(`login.${name}`), h("input", { type, name, onInput }));
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const isIn = await form.submit(async (values) => {
      const session = await client.send<{ token: string }>("/login", { method: "POST", body: values });
      client.useToken(session.token);
    });
    if (isIn) done();
    else hint.replaceChildren(...Object.values(form.errors).map((key) => words.text(String(key))));
  }

  return h("form", { onSubmit: submit }, field("card", "text"), field("pin", "password"), hint);
}
