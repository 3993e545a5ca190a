import * as z from 'zod'
import { makeFirstAdmin } from '../account/first-admin.ts'
import { createFirebaseIdentity } from '../account/identity-provider.ts'
import { requireSchema } from '../database/migrations.ts'
import { Refusal } from '../database/refusal.ts'
import { type Command, requireVariable, withDatabase } from './operator.ts'

const ANOTHER = '--another'

export const firstAdmin: Command = {
  does: "makes the shop's first admin and prints the link at which they set a password",
  takes: `<email> [${ANOTHER}]`,
  run: operator =>
    withDatabase(operator, async db => {
      const { args, variables, say } = operator
      const email = z.email().safeParse(args.find(arg => !arg.startsWith('--'))?.toLowerCase())
      if (!email.success) throw new Refusal("Say the admin's email address: first-admin owner@example.com")
      await requireSchema(db)
      const identityProvider = createFirebaseIdentity({
        // Without its own name for it, the server's project is the one that the sites are built for.
        projectId: requireVariable(operator, variables.GCLOUD_PROJECT ? 'GCLOUD_PROJECT' : 'VITE_FIREBASE_PROJECT_ID'),
        emulatorHost: variables.FIREBASE_AUTH_EMULATOR_HOST || undefined,
      })
      const parts = { db, identityProvider, now: () => new Date() }
      const made = await makeFirstAdmin(parts, email.data, { another: args.includes(ANOTHER) })
      say(made.wasAdmin ? `${email.data} was an admin already.` : `${email.data} is an admin now.`)
      say(`Set a password at this address, once; who has it sets it, so pass it on with care:\n${made.passwordLink}`)
      return true
    }),
}
