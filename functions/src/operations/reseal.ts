import { readConfig } from '../config/config.ts'
import { Refusal } from '../database/refusal.ts'
import { resealAll } from '../voucher/reseal.ts'
import { openVouchers } from '../voucher/store.ts'
import { resealSecrets } from '../webhook/reseal.ts'
import { type Command, withDatabase } from './operator.ts'

export const reseal: Command = {
  does: 'encrypts all codes and all secrets of webhooks anew with the newest of VOUCHER_KEYS, while people buy',
  run: operator =>
    withDatabase(operator, async db => {
      // A platform's own PORT may be no number, and no command listens.
      const keys = openVouchers(readConfig({ ...operator.variables, PORT: undefined }))
      if (!keys) throw new Refusal('VOUCHER_KEYS is empty.')
      operator.say(`${await resealAll(db, keys)} codes were moved to the newest key.`)
      operator.say(`${await resealSecrets(db, keys)} secrets of webhooks were moved to the newest key.`)
      return true
    }),
}
