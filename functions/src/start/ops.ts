import { runCommand } from '../operations/commands.ts'

// The program for operators: `npm run ops -- <command>` in the repository, `node ops.js <command>` packed.
process.exitCode = await runCommand(process.argv.slice(2), {
  variables: process.env,
  say: line => console.log(line),
})

/** What a service that never answers still holds open does not keep the program. */
setTimeout(() => process.exit(), 1000).unref()
