import { kindOf, type Migration, type StatementKind, withoutComments } from '../database/migrations.ts'

/**
 * Tables that stay small however much is sold. Every other one is taken for big, so a new table has to be thought about.
 */
export const SMALL_TABLES: readonly string[] = [
  'agent_bank',
  'agent_tier',
  'banner',
  'catalogue_version',
  'chat_channel',
  'chat_room',
  'currency_rate',
  'delivery_time',
  'discount',
  'feed_key',
  'game',
  'game_tag',
  'option',
  'package',
  'package_price',
  'payment_method',
  'price_rule',
  'pulse',
  'receiving_account',
  'slip_provider',
  'statement_mapping',
  'supplier',
  'supplier_balance',
  'supplier_list',
  'terms',
]

/** What a statement is judged by beside its own words. */
interface Around {
  /** Whether somebody may be using the table: it was not made by the same file. */
  isOld: boolean
  isBig: boolean
  kind: StatementKind
  /** Of its file, without comments. */
  others: readonly string[]
}

interface Rule {
  breaks: (statement: string, around: Around) => boolean
  /** What becomes of the shop, and what to do instead. */
  why: string
  /**
   * What a comment must say where it is right all the same: why nothing happens, or since when no server uses it.
   */
  unless: '-- safe:' | '-- unused since'
}

const RULES: readonly Rule[] = [
  {
    breaks: text => /\bDROP (TABLE|COLUMN|VIEW|TYPE|FUNCTION|SEQUENCE|SCHEMA)\b/i.test(text),
    why: 'The previous server still uses what is dropped. Drop it a release after the one that stopped using it.',
    unless: '-- unused since',
  },
  {
    breaks: text => /\bRENAME\b/i.test(text),
    why: 'The previous server knows the old name. Add the new beside it, and drop the old a release later.',
    unless: '-- unused since',
  },
  {
    breaks: (text, { isOld }) => isOld && /\bDROP (CONSTRAINT|INDEX|DEFAULT|NOT NULL|TRIGGER)\b/i.test(text),
    why: 'The previous server may count on it: ON CONFLICT names a unique one, an INSERT leaves out what has a default.',
    unless: '-- safe:',
  },
  {
    breaks: (text, { isOld }) => isOld && /\bALTER COLUMN \S+ (SET DATA )?TYPE\b/i.test(text),
    why: 'A change of type writes the table anew while nobody can read it. Add a column of the new type.',
    unless: '-- safe:',
  },
  {
    breaks: (text, { isOld }) =>
      isOld &&
      (/\bSET NOT NULL\b/i.test(text) || (/\bADD COLUMN\b.*\bNOT NULL\b/i.test(text) && !/\bDEFAULT\b/i.test(text))),
    why: 'The previous server writes rows without it, which then fail. Give it a default, or let it be null for a release.',
    unless: '-- safe:',
  },
  {
    breaks: (text, { isOld, isBig }) =>
      isOld &&
      isBig &&
      /\bADD COLUMN\b/i.test(text) &&
      /\bDEFAULT\b.*\b(gen_random_uuid|random|clock_timestamp|nextval)\(|\bSTORED\b|\b(big|small)?serial\b/i.test(text),
    why: 'A value of its own for each row writes the table anew while nobody can read it. Fill it in batches.',
    unless: '-- safe:',
  },
  {
    breaks: (text, { isOld, isBig }) =>
      isOld && isBig && /^CREATE (UNIQUE )?INDEX\b/i.test(text) && !/\bCONCURRENTLY\b/i.test(text),
    why: 'Nobody can write to the table while its index is built. Say CONCURRENTLY (`.concurrently()` in tables.ts).',
    unless: '-- safe:',
  },
  {
    breaks: (text, { isOld }) =>
      isOld && (/\bADD CONSTRAINT\b.*\b(CHECK|UNIQUE|EXCLUDE)\b/i.test(text) || /^CREATE UNIQUE INDEX\b/i.test(text)),
    why: 'The previous server may write what is refused from now on. Say why it never does.',
    unless: '-- safe:',
  },
  {
    breaks: (text, { isOld, isBig }) =>
      isOld && isBig && /\bADD (CONSTRAINT|PRIMARY KEY)\b/i.test(text) && !/\b(NOT VALID|USING INDEX)\b/i.test(text),
    why: 'Nobody can write to the table while all of its rows are checked. Add it NOT VALID, and VALIDATE it in a later file.',
    unless: '-- safe:',
  },
  {
    breaks: (text, { others }) =>
      /\bVALIDATE CONSTRAINT\b/i.test(text) && others.some(other => /\bADD CONSTRAINT\b/i.test(other)),
    why: 'The lock that ADD CONSTRAINT takes lasts until the rows are checked. Validate in a file of its own.',
    unless: '-- safe:',
  },
  {
    breaks: (text, { isOld, isBig, kind }) => isOld && isBig && /^(UPDATE|DELETE)\b/i.test(text) && kind !== 'batched',
    why: 'Rows stay locked until the last one is changed. Put `-- in batches` above it, with a LIMIT inside.',
    unless: '-- safe:',
  },
  {
    breaks: text => /^(LOCK|TRUNCATE|CLUSTER|REINDEX|VACUUM)\b/i.test(text),
    why: 'It keeps everybody out of the table for as long as it takes, or can not be part of a migration.',
    unless: '-- safe:',
  },
  {
    breaks: text => /^DROP INDEX CONCURRENTLY (?!IF EXISTS)/i.test(text),
    why: 'A run that was cut off after it would find the index gone. Say IF EXISTS.',
    unless: '-- safe:',
  },
]

/** @param released the last migration that the previous release has @returns one line for each breach of a rule */
export function findBreaches({ tag, statements }: Pick<Migration, 'tag' | 'statements'>, released: string): string[] {
  const parts = statements.flatMap(chunk => [...splitAt(chunk)])
  const bare = parts.map(({ sql }) => sql)
  const made = bare.flatMap(sql => /^CREATE TABLE (?:IF NOT EXISTS )?(\S+)/i.exec(sql)?.[1] ?? []).map(plain)
  const breaches = parts.flatMap(({ sql, chunk }) => {
    const table = tableOf(sql)
    const around: Around = {
      isOld: table === null || !made.includes(table),
      isBig: table === null || !SMALL_TABLES.includes(table),
      kind: kindOf(chunk),
      others: bare,
    }
    return RULES.filter(({ breaks, unless }) => breaks(sql, around) && !isExcused(chunk, unless, released)).map(
      ({ why }) => `${tag}: ${sql.slice(0, 100)}: ${why}`,
    )
  })
  return [...breaches, ...statements.flatMap(chunk => findMisshaped(chunk).map(why => `${tag}: ${why}`))]
}

/** The statements of one chunk of a file, on one line each. */
function* splitAt(chunk: string): Iterable<{ sql: string; chunk: string }> {
  for (const part of chunk.split(/;\s*$/m)) {
    const sql = withoutComments(part)
    if (sql) yield { sql, chunk }
  }
}

const plain = (name: string): string => name.replaceAll('"', '').replace(/^public\./, '')

/** The table that a statement changes; null when it is not plain which. */
function tableOf(sql: string): string | null {
  const [, name] =
    /^(?:ALTER TABLE|UPDATE|DELETE FROM|INSERT INTO|TRUNCATE|LOCK TABLE)(?: IF EXISTS| ONLY)* ([\w".]+)/i.exec(sql) ??
    /^CREATE (?:UNIQUE )?INDEX\b.*? ON (?:ONLY )?([\w".]+)/i.exec(sql) ??
    []
  return name ? plain(name) : null
}

/** What is run by itself has to stand by itself. */
function findMisshaped(chunk: string): string[] {
  const kind = kindOf(chunk)
  if (kind === 'plain') return []
  if ([...splitAt(chunk)].length > 1)
    return ['A statement that is run by itself stands between breakpoints (`--> statement-breakpoint`).']
  if (kind === 'batched' && !/\bLIMIT \d+/i.test(withoutComments(chunk))) return ['A batch needs a LIMIT.']
  return []
}

/** Tells whether a comment says why; what is unused must be so since a migration that the previous release has. */
function isExcused(chunk: string, unless: Rule['unless'], released: string): boolean {
  if (unless === '-- safe:') return /^-- safe: \S.{15,}/m.test(chunk)
  const [, since = ''] = /^-- unused since (\d{4}_\w+)/m.exec(chunk) ?? []
  return since !== '' && since <= released
}
