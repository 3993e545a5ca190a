import { Refusal } from '../database/refusal.ts'
import { closeServerRole, isServerRole, openServerRole } from '../database/server-roles.ts'
import { type Command, requireVariable, withDatabase } from './operator.ts'

const CLOSE = '--close'

export const databaseRole: Command = {
  does: "lets the server in as this role by SERVER_DATABASE_PASSWORD, or --close's it; DATABASE_URL is the owner's",
  takes: `<role> [${CLOSE}]`,
  run: operator =>
    withDatabase(operator, async db => {
      const { args, say } = operator
      const role = args.find(arg => !arg.startsWith('--'))
      if (!isServerRole(role)) throw new Refusal('Say the role: database-role shop_app_b, or database-role shop_app')
      if (args.includes(CLOSE)) {
        await closeServerRole(db, role)
        say(`Nobody is let in as ${role} any more.`)
        return true
      }
      await openServerRole(db, role, requireVariable(operator, 'SERVER_DATABASE_PASSWORD'))
      say(`The server is let in as ${role} by the new password. Write both into DATABASE_URL and deploy.`)
      return true
    }),
}
