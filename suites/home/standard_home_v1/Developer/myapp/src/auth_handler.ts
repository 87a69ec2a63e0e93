/**
 * Signing in, staying signed in, signing out.
 *
 * authenticate() checks a password and answers with two tokens: a short-lived JWT for requests
 * and a long-lived one kept by refreshToken(). verifyJWT() guards every protected route.
 */

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Request, Response, NextFunction } from "express";
import { findUser, passwordMatches } from "./users";
import { sessions } from "./sessions";

const ACCESS_SECONDS = 15 * 60;
const REFRESH_SECONDS = 30 * 24 * 3600;

interface Claims {
  sub: string;
  exp: number;
  kind: "access" | "refresh";
}

export class AuthError extends Error {
  constructor(message: string, readonly status = 401) {
    super(message);
  }
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function sign(input: string): Buffer {
  const secret = process.env.JWT_SECRET;
  if (!secret) throw new AuthError("JWT_SECRET is not set", 500);
  return createHmac("sha256", secret).update(input).digest();
}

/** Write a JWT for a user; the header is always the same. */
function issueJWT(user: string, kind: Claims["kind"], seconds: number): string {
  const claims: Claims = { sub: user, exp: Math.floor(Date.now() / 1000) + seconds, kind };
  const input = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${input}.${sign(input).toString("base64url")}`;
}

/** Read a JWT, or refuse it: bad form, bad signature, or too old. */
export function verifyJWT(token: string): Claims {
  const [header, payload, signature] = token.split(".");
  if (!signature) throw new AuthError("the token is not a JWT");
  const expected = sign(`${header}.${payload}`);
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new AuthError("the token has a wrong signature");
  }
  const claims: Claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  if (claims.exp * 1000 < Date.now()) throw new AuthError("the token has expired");
  return claims;
}

export async function authenticate(email: string, password: string) {
  const user = await findUser(email);
  if (!user || !(await passwordMatches(user, password))) {
    throw new AuthError("unknown email or wrong password");
  }
  const refresh = issueJWT(user.id, "refresh", REFRESH_SECONDS);
  await sessions.remember(user.id, refresh);
  return { access: issueJWT(user.id, "access", ACCESS_SECONDS), refresh };
}

/** Trade a refresh token for a fresh access token; each works once. */
export async function refreshToken(old: string) {
  const claims = verifyJWT(old);
  if (claims.kind !== "refresh" || !(await sessions.forget(claims.sub, old))) {
    throw new AuthError("this refresh token was used before");
  }
  const refresh = issueJWT(claims.sub, "refresh", REFRESH_SECONDS);
  await sessions.remember(claims.sub, refresh);
  return { access: issueJWT(claims.sub, "access", ACCESS_SECONDS), refresh };
}

export function requireUser(request: Request, response: Response, next: NextFunction) {
  const header = request.header("authorization") ?? "";
  try {
    response.locals.user = verifyJWT(header.replace(/^Bearer /, "")).sub;
    next();
  } catch (error) {
    response.status(401).json({ error: (error as Error).message });
  }
}
