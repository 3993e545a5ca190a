import { runCommand } from './operations/commands.ts'

// The program for operators: `npm run ops -- <command>` in the repository, `node ops.js <command>` packed.
process.exitCode = await runCommand(process.argv.slice(2), {
  variables: process.env,
  say: line => console.log(line),
})
