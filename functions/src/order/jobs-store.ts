import { gamePackage } from '../catalogue/tables.ts'
import { pick, under } from '../database/sql.ts'
import type { JobSql } from '../outbox/outbox.ts'
import { outbox } from '../outbox/tables.ts'
import { orders } from './tables.ts'

/** What happens after an order was stored, as jobs of the same statement. */

const JOB = Object.values(pick(under(outbox), 'id', 'kind', 'key', 'payload', 'dueAt', 'createdAt', 'requestId'))

/**
 * Stores the job that makes the supplier deliver an order of an automatic package, once for each time that it was paid.
 * It runs after the commit. @param saved the rows (id, package_id, version) of the order that was stored
 */
export function deliverySql(saved: string, isPaid: string, { id, at, requestId }: JobSql): string {
  const [s, sold] = [under(orders, saved), under(gamePackage, 'p')]
  return `
  INSERT INTO outbox (${JOB})
  SELECT ${id}::uuid, 'supplier.deliver', ${s.id} || ':' || ${s.version},
    jsonb_build_object('orderId', ${s.id}, 'after', NULL), ${at}, ${at}, ${requestId}::text
  FROM ${saved} JOIN ${sold} ON ${sold.id} = ${s.packageId}
  WHERE ${isPaid}::boolean AND ${sold.isAutomatic}
  ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`
}

/**
 * Stores the job that sends a message in LINE after the commit. @param saved the rows (id) of the order that was stored
 */
export function tellSql(saved: string, event: string, turn: string, { id, at, requestId }: JobSql): string {
  const s = under(orders, saved)
  return `
  INSERT INTO outbox (${JOB})
  SELECT ${id}::uuid, 'chat.tell', ${event}::text || ':' || ${s.id} || ':' || ${turn}::text,
    jsonb_build_object('event', ${event}::text, 'id', ${s.id}, 'turn', ${turn}::text), ${at}, ${at}, ${requestId}::text
  FROM ${saved} WHERE ${event}::text IS NOT NULL
  ON CONFLICT ON CONSTRAINT outbox_once DO NOTHING`
}
