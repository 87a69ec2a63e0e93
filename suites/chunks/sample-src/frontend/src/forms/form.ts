import { ApiError } from "../api/client";
import { Rule } from "./rules";

export class FormState<F extends string> {
  readonly values: Record<F, string>;
  errors: Partial<Record<F, string>> = {};

  constructor(private readonly rules: Record<F, Rule[]>) {
    const names = Object.keys(rules) as F[];
    this.values = Object.fromEntries(names.map((name) => [name, ""])) as Record<F, string>;
  }

  change(name: F, value: string): void {
    this.values[name] = value;
    if (this.errors[name]) this.validate();
  }

  validate(): boolean {
    this.errors = {};
    for (const name of Object.keys(this.rules) as F[]) {
      const failed = this.rules[name].map((rule) => rule(this.values[name])).find(Boolean);
      if (failed) this.errors[name] = failed;
    }
    return Object.keys(this.errors).length === 0;
  }

  /** Put what the server found wrong beside the fields it is about. */
  async submit(send: (values: Record<F, string>) => Promise<void>): Promise<boolean> {
    if (!this.validate()) return false;
    try {
      await send(this.values);
      return true;
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.code !== "invalid") throw problem;
      Object.assign(this.errors, problem.details.fields ?? {});
      return false;
    }
  }
}
