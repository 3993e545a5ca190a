import { countPins } from '../access/pin.ts'
import { findSealed, lockTotp, saveTotp } from '../account/totp-store.ts'
import { createVault } from '../account/vault.ts'
import { fingerprintOf, pulseOfKey, valuesOf } from '../asking/keys.ts'
import { type Config, readConfig } from '../config/config.ts'
import { ROTATION } from '../config/rotation.ts'
import type { Database } from '../database/database.ts'
import { findPulses } from '../pulse/pulse.ts'
import type { SecretName } from '../pulse/secret-names.ts'
import { countHashes, renewHashes } from '../statement/renew-hashes.ts'
import { hashPrefixOf } from '../transfer/account-hash.ts'
import { countSealed } from '../voucher/reseal.ts'
import { openVouchers } from '../voucher/store.ts'
import { countSecrets } from '../webhook/reseal.ts'
import { type Command, withDatabase } from './operator.ts'

const RENEW = '--renew'

export const keys: Command = {
  does: `tells of each secret that may hold several whether an old one may go; ${RENEW} moves all authenticator apps and hashes of accounts to the newest`,
  takes: `[${RENEW}]`,
  run: operator =>
    withDatabase(operator, async db => {
      const { args, say, variables } = operator
      // A platform's own PORT may be no number, and no command listens.
      const config = readConfig({ ...variables, PORT: undefined })
      if (args.includes(RENEW)) {
        say(`${await renewApps(db, config)} authenticator apps were moved to the newest key.`)
        say(`${await renewHashes(db, config)} accounts of payers were hashed anew with the newest key.`)
      }
      const held = {
        TOTP_KEY: await appsByKey(db, config),
        PIN_KEYS: await pinsByKey(db, config),
        VOUCHER_KEYS: await codesByKey(db, config),
      }
      for (const { name, secret, words } of [
        ...Object.entries(held).flatMap(([name, rows]) => rows.map(row => ({ name, ...row }))),
        ...(await acceptedLines(db, variables)),
      ])
        say(`${name.padEnd(26)} ${(secret === null ? 'unknown' : fingerprintOf(secret)).padEnd(10)} ${words}`)
      return Object.values(held).every(rows => rows.every(({ secret, rows }) => secret !== null || rows === 0))
    }),
}

/** What the database keeps under one key. */
interface Kept {
  /** null for what no key of the configuration reads. */
  secret: string | null
  rows: number
  words: string
}

/** Describes what lies under a key, by its place among all, the newest first. @param told what the rows are */
function keptOf(secret: string | null, place: number, rows: number, told: string, name = ''): Kept {
  const called = name && `${name}: `
  if (secret === null) return { secret, rows, words: `${called}${told} that no key reads: put their key back` }
  const state = place === 0 ? 'the newest' : rows === 0 ? 'it may go' : 'it is needed'
  return { secret, rows, words: `${called}${told}; ${state}` }
}

async function appsByKey(db: Database, { TOTP_KEY: all }: Config): Promise<Kept[]> {
  const vault = createVault(all)
  const sealed = await findSealed(db, new Date())
  const places = await Promise.all(sealed.map(async each => (await vault.open(each.uid, each.sealed))?.key ?? null))
  const hashes = await countHashes(db)
  const hashesOf = (secret: string | null) => (secret === null ? 0 : (hashes.get(hashPrefixOf(secret)) ?? 0))
  const rowsOf = (place: number | null) => places.filter(each => each === place).length
  const keptAt = (secret: string | null, place: number, rows: number) => {
    const accounts = hashesOf(secret)
    const told = `${rows} authenticator apps${accounts === 0 ? '' : ` and ${accounts} hashes of accounts`}`
    return keptOf(secret, place, rows + accounts, told)
  }
  const known = all.map((secret, place) => keptAt(secret, place, rowsOf(place)))
  // A text with commas was one key once: it is told of only where something is left of that time.
  const told = known.filter(({ secret, rows }) => rows > 0 || all.length === 1 || !secret?.includes(','))
  return rowsOf(null) === 0 ? told : [...told, keptAt(null, -1, rowsOf(null))]
}

async function pinsByKey(db: Database, { PIN_KEYS: all }: Config): Promise<Kept[]> {
  const counts = await countPins(db)
  const rowsOf = (name: string) => counts.find(each => each.name === name)?.rows ?? 0
  const unknown = counts.filter(({ name }) => !all.some(key => key.name === name))
  return [
    ...all.map(({ name, secret }, place) => keptOf(secret, place, rowsOf(name), `${rowsOf(name)} PINs`, name)),
    ...unknown.map(({ name, rows }) => keptOf(null, -1, rows, `${rows} PINs`, name)),
  ]
}

/** What VOUCHER_KEYS encrypts: codes, and what webhooks are signed with. */
async function codesByKey(db: Database, config: Config): Promise<Kept[]> {
  const [codes, secrets] = await Promise.all([countSealed(db), countSecrets(db)])
  const all = config.VOUCHER_KEYS
  const names = openVouchers(config)?.names ?? []
  const keptUnder = (secret: string | null, place: number, isUnder: (name: string) => boolean) => {
    const sum = (counts: Map<string, number>) =>
      [...counts].reduce((rows, [name, more]) => rows + (isUnder(name) ? more : 0), 0)
    const [ofCodes, ofSecrets] = [sum(codes), sum(secrets)]
    const told = `${ofCodes} codes and ${ofSecrets} secrets of webhooks`
    return keptOf(secret, place, ofCodes + ofSecrets, told)
  }
  const known = all.map((secret, place) => keptUnder(secret, place, name => name === names[place]))
  const unknown = keptUnder(null, -1, name => !names.includes(name))
  return unknown.rows === 0 ? known : [...known, unknown]
}

/** Moves the apps' secrets to the newest key, without their owners: a code would do the same for one. */
async function renewApps(db: Database, config: Config): Promise<number> {
  const vault = createVault(config.TOTP_KEY)
  let renewed = 0
  for (const { uid } of await findSealed(db, new Date()))
    await db.transaction(async tx => {
      const { secret } = await lockTotp(tx, uid)
      const opened = secret && (await vault.open(uid, secret))
      if (!opened || opened.key === 0) return
      await saveTotp(tx, uid, { secret: await vault.seal(uid, opened.secret) })
      renewed++
    })
  return renewed
}

/** Tells when each of several secrets was last accepted, or given to us. */
async function acceptedLines(db: Database, variables: Record<string, string | undefined>) {
  const names = Object.entries(ROTATION).flatMap(([name, { oldMayGo }]) =>
    oldMayGo === 'accepted' ? [name as SecretName] : [],
  )
  const pulses = await findPulses(db)
  return names.flatMap(name => {
    const values = valuesOf(variables[name] ?? '')
    if (values.length < 2) return []
    return values.map((secret, place) => {
      const at = pulses.get(pulseOfKey(name, secret))?.succeededAt
      const when = at ? `last accepted ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'never accepted yet'
      return { name, secret, words: place === 0 ? `${when}; the newest` : when }
    })
  })
}
