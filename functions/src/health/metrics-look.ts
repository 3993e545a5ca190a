import type { Seen } from '../metrics/metrics.ts'
import type { Shop } from '../shop.ts'
import { rememberChecks } from './checks.ts'

/** Returns what metrics tell of a shop whenever they are collected: its connections, and what `/pulse` measures. */
export function lookFor(shop: Pick<Shop, 'db' | 'reports' | 'suppliers' | 'now'>): () => Promise<Seen[]> {
  const findChecks = rememberChecks(shop)
  return async () => {
    const { used, idle, waiting, max } = shop.db.connections()
    const checks = await findChecks()
    return [
      { name: 'connections', value: used, labels: { 'db.client.connection.state': 'used' } },
      { name: 'connections', value: idle, labels: { 'db.client.connection.state': 'idle' } },
      { name: 'connectionsMax', value: max, labels: {} },
      { name: 'connectionsPending', value: waiting, labels: {} },
      { name: 'checkRed', value: checks ? 0 : 1, labels: { 'shop.check': 'database' } },
      ...(checks ?? []).flatMap(({ name, isRed, facts }): Seen[] => [
        { name: 'checkRed', value: isRed ? 1 : 0, labels: { 'shop.check': name } },
        ...facts.flatMap(({ of, value, limit }): Seen[] => {
          const labels = { 'shop.check': name, ...(of !== null && { 'shop.of': of }) }
          return [
            ...(value === null ? [] : [{ name: 'checkValue', value, labels } as const]),
            ...(limit === null ? [] : [{ name: 'checkLimit', value: limit, labels } as const]),
          ]
        }),
      ]),
    ]
  }
}
