import { pool } from "./pool";
import { scrypt as derive, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const scrypt = promisify(derive) as (secret: string, salt: Buffer, size: number) => Promise<Buffer>;

export interface Account {
  id: string;
  email: string;
  salt: Buffer;
  hash: Buffer;
}

export async function findUser(email: string): Promise<Account | undefined> {
  const { rows } = await pool.query("SELECT id, email, salt, hash FROM users WHERE email = $1", [email]);
  return rows[0];
}

export async function passwordMatches(account: Account, password: string): Promise<boolean> {
  const hash = await scrypt(password, account.salt, account.hash.length);
  return timingSafeEqual(hash, account.hash);
}
