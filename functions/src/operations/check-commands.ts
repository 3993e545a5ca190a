import { readConfig } from '../config/config.ts'
import { SERVICE } from '../config/outside.ts'
import { rebuildSales } from '../dashboard/sale-day.ts'
import { checkSales } from '../dashboard/sales-check.ts'
import { breachText, certainOf, keepCheckRun } from '../jobs/check-run.ts'
import { CHECKED_DAYS, checkSuppliers } from '../supplier/check.ts'
import { openRates } from '../supplier/rates.ts'
import { checkLedger, describeReport } from '../wallet/ledger-check.ts'
import { type Command, withDatabase } from './operator.ts'

/** What proves that the shop's own records agree with each other, and with the supplier's. */

export const ledgerCheck: Command = {
  does: 'proves the books: every sum of the ledger, the wallets and the bank lines',
  run: operator =>
    withDatabase(operator, async db => {
      const report = await checkLedger(db)
      await keepCheckRun(db, 'ledger', report.breaches.map(breachText), new Date())
      operator.say(describeReport(report))
      return report.breaches.length === 0
    }),
}

export const salesCheck: Command = {
  does: "compares the dashboards' sums with the orders; --rebuild corrects them",
  takes: '[--rebuild]',
  run: operator =>
    withDatabase(operator, async db => {
      if (operator.args.includes('--rebuild')) await db.transaction(rebuildSales)
      const differences = await checkSales(db)
      await keepCheckRun(db, 'sales', differences, new Date())
      operator.say(differences.length > 0 ? differences.join('\n') : 'Every day tells what its orders add up to.')
      return differences.length === 0
    }),
}

export const supplierCheck: Command = {
  does: `compares the purchases of ${CHECKED_DAYS} days with what the supplier says, and with our balance there`,
  run: operator =>
    withDatabase(operator, async db => {
      const now = () => new Date()
      const suppliers = SERVICE.suppliers.make(readConfig(operator.variables), now, undefined, openRates(db))
      const { purchases, differences } = await checkSuppliers({ suppliers, now }, db)
      await keepCheckRun(db, 'supplier', certainOf(differences), now())
      for (const { kind, what } of differences) operator.say(`${kind.padEnd(8)} ${what}`)
      operator.say(`${purchases} purchases of ${CHECKED_DAYS} days, ${differences.length} differences`)
      return differences.length === 0
    }),
}
