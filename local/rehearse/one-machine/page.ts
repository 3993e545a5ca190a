// docs/operations/one-machine.md as somebody reads it who has no Docker: its blocks in their order, and what it says to fill in.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../os-process.ts'

export interface Block {
  /** The heading that it stands under. */
  section: string
  commands: string
}

const text = readFileSync(join(projectRoot, 'docs/operations/one-machine.md'), 'utf8')
const BLOCK = /^```sh\n([\s\S]*?)^```$/gm

/** Each block that is not introduced as the way with Docker, by its heading or by the sentence before it. */
export function readBlocks(): Block[] {
  return [...text.matchAll(BLOCK)].flatMap(({ 1: commands = '', index }) => {
    const before = text.slice(0, index)
    const section = /^## (.*)$/m.exec(before.slice(before.lastIndexOf('\n## ')))?.[1] ?? ''
    const sentence = before.trimEnd().split('\n').at(-1)!.split('. ').at(-1)!
    const isDockers = /, with Docker$/.test(section) || /^With Docker\b.*:$/.test(sentence)
    return isDockers ? [] : [{ section, commands }]
  })
}

/** The commands with each `<what a person writes there>` written. */
export function write(commands: string, words: Record<string, string>): string {
  return commands.replaceAll(/<([a-z][^<>\n]*)>/g, (_, asked: string) => {
    const word = words[asked]
    if (word === undefined) throw new Error(`The page asks for <${asked}>, and nobody has it.`)
    return word
  })
}

/** The names of variables that the page's table tells to fill in, by file. */
export function readAsked(): Record<string, string[]> {
  const rows = [...text.matchAll(/^\| `(deploy\/[\w.]+)` \| (.*) \|$/gm)]
  return Object.fromEntries(
    rows.map(([, file, about]) => [file!, [...about!.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name!)]),
  )
}
