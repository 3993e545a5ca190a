import { migrate } from '../database/migrate.ts'
import { type Command, databaseCaOf, requireVariable } from './operator.ts'

const SLOW = '--slow'

export const migrateCommand: Command = {
  takes: `[${SLOW}]`,
  does: "brings the database to this version's schema; DATABASE_URL is the owner's, SERVER_DATABASE_PASSWORD the server's",
  async run(operator) {
    const serverPassword = operator.variables.SERVER_DATABASE_PASSWORD || undefined
    const url = requireVariable(operator, 'DATABASE_URL')
    const { applied, notes } = await migrate(url, {
      serverPassword,
      ca: databaseCaOf(operator),
      ...(operator.args.includes(SLOW) && { mostMs: null }),
      onWait: who => operator.say(`Another migration is at work (${who}); waiting for it.`),
      onApplied: tag => operator.say(`applied ${tag}`),
    })
    if (applied.length === 0) operator.say('The schema is the one of this version; nothing was to be done.')
    for (const note of notes) operator.say(`note: ${note}`)
    return true
  },
}
