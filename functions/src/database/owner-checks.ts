import { readFile } from 'node:fs/promises'
import { LIMITS, type Sql } from './database.ts'
import { findRolesFile } from './migrations.ts'
import { Refusal } from './refusal.ts'

/** What a migration must know about a database before it changes anything in it. */

/** The role that the server works as; roles.sql tells what it may do. */
export const SERVER_ROLE = 'shop_app'
/** The second one is a member of the first. While the server changes its password, it goes from one to the other. */
export const SERVER_ROLES = [SERVER_ROLE, 'shop_app_b'] as const

/** The major versions of PostgreSQL that the shop is tested on and between. */
const VERSIONS = [15, 18] as const

export interface Place {
  version: number
  encoding: string
  collation: string
  /** Whether pg_trgm takes Thai letters for letters; null while it is not installed. */
  knowsThai: boolean | null
}

interface Owner {
  name: string
  isSuper: boolean
  ownsDatabase: boolean
  mayCreateRoles: boolean
  isDirect: boolean
  isStandby: boolean
  isReadOnly: boolean
}

type Asked = Pick<Sql, 'query'>

/** Describes a server that the shop can't work on; empty when it can. */
export function flawsOfPlace({ version, encoding }: Place): string[] {
  const [least, most] = VERSIONS
  const flaws: string[] = []
  if (version < least || version > most)
    flaws.push(`The database's server is PostgreSQL ${version}; the shop works on ${least} to ${most}.`)
  if (encoding !== 'UTF8')
    flaws.push(`The database's encoding is ${encoding}, which holds no Thai: make it anew with ENCODING 'UTF8'.`)
  return flaws
}

export const THAI_UNKNOWN =
  "The database's character classes (LC_CTYPE) know no Thai letters, so searches by a part of a Thai name read whole " +
  'tables. Everything works; a database made with LC_CTYPE C.UTF-8 or en_US.UTF-8 is faster.'

export async function readPlace(db: Asked): Promise<Place> {
  const [found] = await db.query<Omit<Place, 'knowsThai'> & { hasTrigrams: boolean }>({
    text: `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding,
        (to_jsonb(d)->>'datlocprovider') || ' ' ||
          coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale', d.datcollate) AS collation,
        EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm') AS "hasTrigrams"
      FROM pg_database d WHERE d.datname = current_database()`,
  })
  const { hasTrigrams, ...place } = found!
  if (!hasTrigrams) return { ...place, knowsThai: null }
  const [thai] = await db.query<{ count: number }>({ text: `SELECT cardinality(show_trgm('เกม')) AS count` })
  return { ...place, knowsThai: thai!.count > 0 }
}

/** @param backend the key of the connection's process @throws Refusal unless it is direct, its role owns the database and may change it */
export async function requireOwner(db: Asked, backend: number): Promise<Owner> {
  const [owner] = await db.query<Owner>({
    text: `SELECT r.rolname AS name, r.rolsuper AS "isSuper", r.rolcreaterole OR r.rolsuper AS "mayCreateRoles",
      pg_has_role(d.datdba, 'USAGE') AS "ownsDatabase", pg_backend_pid() = $1 AS "isDirect",
      pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"
    FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()`,
    values: [backend],
  })
  if (owner!.isStandby)
    throw new Refusal('DATABASE_URL leads to a standby, where nothing can be changed. Name the primary.')
  if (owner!.isReadOnly)
    throw new Refusal('DATABASE_URL leads to a database that only reads (default_transaction_read_only).')
  if (!owner!.isDirect)
    throw new Refusal(
      'DATABASE_URL leads through a pooler. Migrations need a connection of their own: name the server.',
    )
  if (!owner!.ownsDatabase)
    throw new Refusal(
      `DATABASE_URL is of the role ${owner!.name}, which does not own the database. Migrations need the owner's.`,
    )
  return owner!
}

interface RoleState {
  name: string
  rights: string[]
  memberOf: string[]
  owns: string[]
  settings: string[]
  /** Whether whoever asks may change it. */
  isOurs: boolean
}

/** The rights with which the server could free itself from the rules of roles.sql. */
const TOO_MUCH = {
  rolsuper: 'SUPERUSER',
  rolcreaterole: 'CREATEROLE',
  rolcreatedb: 'CREATEDB',
  rolreplication: 'REPLICATION',
  rolbypassrls: 'BYPASSRLS',
} as const

/** Returns what a role is and has; null while there is none of the name. */
export async function readRole(db: Asked, role: string): Promise<RoleState | null> {
  const rights = Object.entries(TOO_MUCH).map(([column, right]) => `CASE WHEN r.${column} THEN '${right}' END`)
  const [state] = await db.query<RoleState>({
    text: `SELECT r.rolname AS name, array_remove(ARRAY[${rights.join(', ')}], NULL) AS rights,
      ARRAY(SELECT m.roleid::regrole::text FROM pg_auth_members m WHERE m.member = r.oid ORDER BY 1) AS "memberOf",
      ARRAY(SELECT 'the database' FROM pg_database d WHERE d.datname = current_database() AND d.datdba = r.oid
        UNION ALL SELECT 'schema ' || n.nspname FROM pg_namespace n WHERE n.nspowner = r.oid
        UNION ALL SELECT c.oid::regclass::text FROM pg_class c WHERE c.relowner = r.oid AND c.relkind IN ('r', 'S', 'v')) AS owns,
      coalesce(r.rolconfig, '{}') AS settings,
      (SELECT me.rolsuper OR (me.rolcreaterole AND (current_setting('server_version_num')::int < 160000
          OR pg_has_role(r.oid, 'USAGE WITH ADMIN OPTION'))) FROM pg_roles me WHERE me.rolname = current_user) AS "isOurs"
    FROM pg_roles r WHERE r.rolname = $1`,
    values: [role],
  })
  return state ?? null
}

/** Names what the server's role has and must not have; empty when it has no more than it needs. */
export function flawsOfRole({ name, rights, memberOf, owns }: RoleState): string[] {
  return [
    ...rights.map(right => `The role ${name} is ${right}, so nothing is written once: ALTER ROLE ${name} NO${right};`),
    ...memberOf
      .filter(role => role !== SERVER_ROLE)
      .map(role => `The role ${name} has the rights of ${role}: REVOKE ${role} FROM ${name};`),
    ...(owns.length > 0
      ? [`The role ${name} owns ${owns.slice(0, 3).join(', ')}: the server's role may own nothing.`]
      : []),
  ]
}

/** Returns the tables that the server adds to and never changes, from the file that gives it its rights. */
export async function readWrittenOnce(): Promise<string[]> {
  const [, tables = ''] =
    /REVOKE UPDATE, DELETE, TRUNCATE ON ([\w, ]+?) FROM/.exec(await readFile(findRolesFile(), 'utf8')) ?? []
  return tables.split(', ')
}

/** The limits that are not set on the role. */
export const lackingLimits = (settings: readonly string[]) =>
  Object.values(LIMITS).filter(({ setting, standardMs }) => !settings.includes(`${setting}=${standardMs}ms`))

/** Refuses before the first change what the owner could not finish, or what would leave the books unprotected. */
export async function requireServerRole(db: Asked, owner: Owner, setsPassword: boolean): Promise<void> {
  for (const name of SERVER_ROLES) {
    const role = await readRole(db, name)
    if (role || name === SERVER_ROLE) requireGoodRole(role, owner, setsPassword && name === SERVER_ROLE)
  }
}

/** @param role null while there is none */
export function requireGoodRole(role: RoleState | null, owner: Owner, setsPassword: boolean): void {
  if (!role) {
    if (!owner.mayCreateRoles)
      throw new Refusal(
        `There is no role ${SERVER_ROLE}, and ${owner.name} may not make it: ALTER ROLE ${owner.name} CREATEROLE;`,
      )
    return
  }
  const flaws = flawsOfRole(role)
  if (flaws.length > 0) throw new Refusal(flaws.join('\n'))
  if (!role.isOurs && (setsPassword || lackingLimits(role.settings).length > 0))
    throw new Refusal(
      `The role ${role.name} was made by somebody else, so ${owner.name} may not set its password and limits. ` +
        `Drop it and let \`migrate\` make it, or: GRANT ${role.name} TO ${owner.name} WITH ADMIN OPTION;`,
    )
}
