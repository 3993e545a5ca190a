import { createFirebaseIdentity } from '../account/identity-provider.ts'
import { openKeyRing } from '../account/key-ring.ts'
import { createPins } from '../account/pins.ts'
import { openSigningKeys } from '../account/signing-keys.ts'
import { createTokenVerifier } from '../account/token.ts'
import { openCatalogue } from '../catalogue/catalogue-source.ts'
import { findUnheard } from '../chat/listeners.ts'
import type { Config } from '../config/config.ts'
import { openServices } from '../config/outside.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../database/database.ts'
import { requireDeclared } from '../database/declared.ts'
import { requireSchema } from '../database/migrations.ts'
import { Refusal } from '../database/refusal.ts'
import { openReports, type Reports } from '../database/reports.ts'
import { openAnswers } from '../health/answers.ts'
import { openDisks } from '../health/disks.ts'
import { lookFor } from '../health/metrics-look.ts'
import { openPatroni } from '../health/patroni.ts'
import { factsOf, log } from '../http/log.ts'
import { createRateLimits } from '../http/rate-limit.ts'
import { outsideRequests } from '../http/request-id.ts'
import { openMetrics } from '../metrics/open-metrics.ts'
import { openFacts } from '../order/placing/facts-store.ts'
import { openOrderStore } from '../order/placing/placing-store.ts'
import { findSafeMode, noticeRestore } from '../outbox/safe-mode.ts'
import { TABLES } from '../privacy/table-names.ts'
import { openPulse } from '../pulse/pulse.ts'
import { openKeyUse } from '../reseller/key-use.ts'
import { watchWitnessAtStart } from '../restore/witness.ts'
import type { Shop } from '../shop/shop.ts'
import './parts.ts'
import { openRates } from '../supplier/rates.ts'
import { type Files, openFiles } from '../upload/files.ts'
import { openVouchers } from '../voucher/store.ts'

function databaseOf(config: Config, url = config.DATABASE_URL, more: DatabaseOptions = {}): Database {
  return openDatabase(url, {
    connections: config.DATABASE_CONNECTIONS,
    ca: config.DATABASE_CA,
    namedStatements: config.DATABASE_NAMED_STATEMENTS,
    timeoutMs: {
      connect: config.DATABASE_CONNECT_TIMEOUT_MS,
      statement: config.DATABASE_STATEMENT_TIMEOUT_MS,
      lock: config.DATABASE_LOCK_TIMEOUT_MS,
      idleInTransaction: config.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    },
    onLost: error => outsideRequests(() => log('WARNING', 'database connection lost', factsOf(error))),
    onUnlimited: message => log('ERROR', message),
    ...more,
  })
}

/** A replica that can't be read is no reason not to start: the primary is read until it can. */
function reportsOf(config: Config, primary: Database): Reports {
  const { DATABASE_READ_URL: url, DATABASE_READ_MAX_SECONDS: maxSeconds } = config
  return openReports(primary, {
    maxSeconds,
    openReplica: url
      ? connections => databaseOf(config, url, connections === undefined ? {} : { connections })
      : undefined,
    onTurn: reason =>
      outsideRequests(() =>
        reason ? log('WARNING', 'reports leave the replica', { reason }) : log('INFO', 'reports read the replica'),
      ),
  })
}

/** A schema of another version, or tables that somebody changed, keep the server from starting; a database that can't be reached just now does not. */
async function checkSchema(db: Database): Promise<void> {
  try {
    await requireSchema(db)
    await requireDeclared(db, TABLES)
  } catch (error) {
    if (error instanceof Refusal) {
      await db.close()
      throw error
    }
    log('WARNING', 'schema not checked', factsOf(error))
  }
}

/** A database that came back from a backup is noticed before anything else is done with it. */
async function checkRestore(db: Database, files: Files, now: () => Date): Promise<void> {
  try {
    await noticeRestore(db, now())
    await watchWitnessAtStart({ db, files, now }).catch((error: unknown) =>
      log('WARNING', 'witness not asked', factsOf(error)),
    )
    if ((await findSafeMode(db)).isOn) log('ERROR', 'safe mode: nothing leaves the shop until after-restore --go')
  } catch (error) {
    log('WARNING', 'restore not checked', factsOf(error))
  }
}

/** Builds the shop from its real parts. @throws Refusal when the database has the schema of another version */
export async function openShop(config: Config, now = () => new Date()): Promise<Shop> {
  // This comes first because it can fail; then nothing else is left open.
  const files = await openFiles({ folder: config.FILES_DIR, bucket: config.FILES_BUCKET })
  const db = databaseOf(config, config.DATABASE_URL, { mustWrite: true })
  await checkSchema(db)
  await checkRestore(db, files, now)
  const beat = openPulse(db, now)
  const signingKeys = config.FIREBASE_AUTH_EMULATOR_HOST === undefined ? openSigningKeys() : null
  const metrics = await openMetrics(config)
  const shop: Shop = {
    config,
    now,
    db,
    reports: reportsOf(config, db),
    catalogue: openCatalogue(db, { checkMs: config.CATALOGUE_CHECK_MS }),
    verifyToken: createTokenVerifier({
      projectId: config.GCLOUD_PROJECT,
      keys: signingKeys?.find ?? null,
      now,
    }),
    signingKeys,
    identityProvider: createFirebaseIdentity({
      projectId: config.GCLOUD_PROJECT,
      emulatorHost: config.FIREBASE_AUTH_EMULATOR_HOST,
    }),
    pins: createPins(config.PIN_KEYS),
    findFacts: openFacts(db),
    storeOrder: openOrderStore(db),
    ...openServices(config, now, beat, openRates(db)),
    files,
    vouchers: openVouchers(config),
    limits: createRateLimits(config.limits, db),
    machineKeys: openKeyRing(db),
    keyUse: openKeyUse(db),
    metrics,
    answers: openAnswers(now),
    disks: openDisks([...(config.FILES_BUCKET ? [] : [config.FILES_DIR]), ...config.DISKS]),
    patroni: openPatroni(config.PATRONI_URLS),
    beat,
    findUnheard: sql => findUnheard(sql, shop),
  }
  metrics.look(lookFor(shop))
  return shop
}
