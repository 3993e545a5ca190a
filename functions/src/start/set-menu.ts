import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setRichMenu } from '../chat/menu.ts'
import { readConfig } from '../config/config.ts'

/** Run by `npm run line:menu` with the server's own variables. */
const picture = await readFile(join(import.meta.dirname, '../chat/rich-menu.png'))
const id = await setRichMenu(readConfig(process.env), picture)
console.log(`The menu under the shop's chat is ${id}`)
