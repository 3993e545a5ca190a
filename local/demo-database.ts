import pg from 'pg'
import { readPorts } from './ports.ts'

/** The database of the running demo shop, on its own server or on the one that DATABASE_URL names. */
export const demoDatabaseUrl = (environment: Record<string, string | undefined> = process.env): string =>
  environment.DATABASE_URL ?? `postgresql://postgres@127.0.0.1:${readPorts(environment).postgres}/shop`

/** Returns that address once its server answers; otherwise ends the program with a sentence about what to start. */
export async function mustAnswer(databaseUrl = demoDatabaseUrl()): Promise<string> {
  const reason = await findReason(databaseUrl)
  if (!reason) return databaseUrl
  return giveUp(reason)
}

/** Ends a command with a sentence, because a stack trace tells nobody what to do. */
export function giveUp(reason: string): never {
  console.error(reason)
  process.exit(1)
}

/** Says why a database can't be used just now; null when it can. */
export async function findReason(databaseUrl: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    return null
  } catch (error) {
    const { host, pathname } = new URL(databaseUrl)
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ECONNREFUSED'
      ? `No PostgreSQL answers at ${host}. Start the demo shop in another terminal with npm start, or name another server in DATABASE_URL.`
      : `The database ${pathname.slice(1)} at ${host} can't be used: ${message}`
  } finally {
    await client.end().catch(() => undefined)
  }
}
