import { insertFirstData } from '../catalogue/first-data.ts'
import { requireSchema } from '../database/migrations.ts'
import { type Command, withDatabase } from './operator.ts'

export const firstData: Command = {
  does: 'adds what an empty shop can not sell without (payment methods, tags); leaves what staff wrote',
  run: operator =>
    withDatabase(operator, async db => {
      await requireSchema(db)
      const added = await db.transaction(insertFirstData)
      for (const what of added) operator.say(`added ${what}`)
      if (added.length === 0) operator.say('All of it was there already.')
      return true
    }),
}
