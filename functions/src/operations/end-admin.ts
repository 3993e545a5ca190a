import * as z from 'zod'
import { endAdminByOperator } from '../access/first-admin.ts'
import { requireSchema } from '../database/migrations.ts'
import { Refusal } from '../database/refusal.ts'
import { identityOf } from './first-admin.ts'
import { type Command, withDatabase } from './operator.ts'

export const endAdmin: Command = {
  does: 'ends an admin, with the authenticator app; or says that an earlier end is right',
  takes: '<email>',
  run: operator =>
    withDatabase(operator, async db => {
      const { args, say } = operator
      const email = z.email().safeParse(args[0]?.toLowerCase())
      if (!email.success) throw new Refusal("Say the admin's email address: end-admin owner@example.com")
      await requireSchema(db)
      const parts = { db, identityProvider: identityOf(operator), now: () => new Date() }
      const { wasAdmin, adminsLeft } = await endAdminByOperator(parts, email.data)
      say(
        wasAdmin
          ? `${email.data} is no admin any more, and every admin is told.`
          : `${email.data} is no admin. It is kept that this is right, so who ended them may be the only admin now.`,
      )
      if (adminsLeft === 0) say('The shop has no admin now; make one with first-admin.')
      return true
    }),
}
