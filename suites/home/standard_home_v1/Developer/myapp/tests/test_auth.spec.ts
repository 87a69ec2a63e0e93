import { describe, expect, it, vi } from "vitest";
import { authenticate, refreshToken, verifyJWT } from "../src/auth_handler";

vi.stubEnv("JWT_SECRET", "only-for-tests");
vi.mock("../src/users", () => ({
  findUser: async (email: string) => (email === "ada@example.org" ? { id: "7" } : undefined),
  passwordMatches: async (_: unknown, password: string) => password === "correct",
}));

describe("signing in", () => {
  it("gives two tokens for the right password", async () => {
    const { access, refresh } = await authenticate("ada@example.org", "correct");
    expect(verifyJWT(access).sub).toBe("7");
    expect(access).not.toBe(refresh);
  });

  it("says the same for an unknown email and a wrong password", async () => {
    await expect(authenticate("ada@example.org", "wrong")).rejects.toThrow("unknown email or");
    await expect(authenticate("bob@example.org", "correct")).rejects.toThrow("unknown email or");
  });
});

describe("refreshing", () => {
  it("works once for each token", async () => {
    const { refresh } = await authenticate("ada@example.org", "correct");
    await refreshToken(refresh);
    await expect(refreshToken(refresh)).rejects.toThrow("used before");
  });

  it("refuses a token that was changed on the way", () => {
    expect(() => verifyJWT("a.b.c")).toThrow("wrong signature");
  });
});
