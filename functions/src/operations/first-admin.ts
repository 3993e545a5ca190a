import * as z from 'zod'
import { makeFirstAdmin } from '../access/first-admin.ts'
import { createFirebaseIdentity, type IdentityProvider } from '../account/identity-provider.ts'
import { requireSchema } from '../database/migrations.ts'
import { Refusal } from '../database/refusal.ts'
import { type Command, type Operator, requireVariable, withDatabase } from './operator.ts'

const ANOTHER = '--another'

/** Returns the identity provider of the installation. @throws Refusal */
export function identityOf(operator: Operator): IdentityProvider {
  const { variables } = operator
  return createFirebaseIdentity({
    // Without its own name for it, the server's project is the one that the sites are built for.
    projectId: requireVariable(operator, variables.GCLOUD_PROJECT ? 'GCLOUD_PROJECT' : 'VITE_FIREBASE_PROJECT_ID'),
    emulatorHost: variables.FIREBASE_AUTH_EMULATOR_HOST || undefined,
  })
}

export const firstAdmin: Command = {
  does: "makes the shop's first admin and prints the link at which they set a password",
  takes: `<email> [${ANOTHER}]`,
  run: operator =>
    withDatabase(operator, async db => {
      const { args, say } = operator
      const email = z.email().safeParse(args.find(arg => !arg.startsWith('--'))?.toLowerCase())
      if (!email.success) throw new Refusal("Say the admin's email address: first-admin owner@example.com")
      await requireSchema(db)
      const parts = { db, identityProvider: identityOf(operator), now: () => new Date() }
      const made = await makeFirstAdmin(parts, email.data, { another: args.includes(ANOTHER) })
      say(made.wasAdmin ? `${email.data} was an admin already.` : `${email.data} is an admin now.`)
      say(`Set a password at this address, once; who has it sets it, so pass it on with care:\n${made.passwordLink}`)
      return true
    }),
}
