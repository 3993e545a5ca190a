import type { Seen } from '../metrics/metrics.ts'
import { rememberChecks, type Watched } from './checks.ts'

/** Returns what metrics tell of a shop whenever they are collected: its connections, and what `/pulse` measures. */
export function lookFor(shop: Watched): () => Promise<Seen[]> {
  const findChecks = rememberChecks(shop)
  return async () => {
    const { used, idle, waiting, max } = shop.db.connections()
    const checks = await findChecks()
    const isMeasured = typeof checks !== 'string'
    return [
      { name: 'connections', value: used, labels: { 'db.client.connection.state': 'used' } },
      { name: 'connections', value: idle, labels: { 'db.client.connection.state': 'idle' } },
      { name: 'connectionsMax', value: max, labels: {} },
      { name: 'connectionsPending', value: waiting, labels: {} },
      { name: 'checkRed', value: isMeasured ? 0 : 1, labels: { 'shop.check': 'database' } },
      ...(isMeasured ? checks : []).flatMap(({ name, isRed, facts }): Seen[] => [
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
