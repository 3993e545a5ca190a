import { randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import sharp from 'sharp'
import { type Detail, findActionFaults, isFields } from './action-rules.ts'
import { toBodyError } from './message-rules.ts'
import type { RichMenu, State } from './state.ts'

type Fields = Record<string, unknown>

const mostBytes = 1024 * 1024
const mostAreas = 20
const graphemes = new Intl.Segmenter('th', { granularity: 'grapheme' })
const isWhole = (value: unknown, least: number): value is number =>
  Number.isInteger(value) && (value as number) >= least

/** Serves the calls that list, create and delete rich menus, upload their pictures and show one to everybody. */
export function createRichMenuApi(state: State): Hono {
  const app = new Hono()
  const find = (context: Context) => state.richMenus.get(context.req.param('id') ?? '')
  const notFound = (context: Context) => context.json({ message: 'Not found' }, 404)
  app.get('/v2/bot/richmenu/list', context =>
    context.json({
      richmenus: [...state.richMenus.values()].map(each => ({ ...each.definition, richMenuId: each.richMenuId })),
    }),
  )
  app.post('/v2/bot/richmenu', async context => {
    const definition: unknown = await context.req.json().catch(() => null)
    const faults = isFields(definition) ? findMenuFaults(definition) : [{ message: 'May not be null', property: '' }]
    if (faults.length > 0) return context.json(toBodyError(faults), 400)
    const richMenuId = `richmenu-${randomBytes(16).toString('hex')}`
    state.richMenus.set(richMenuId, { richMenuId, definition: definition as Fields })
    return context.json({ richMenuId })
  })
  app.post('/v2/bot/richmenu/:id/content', async context => {
    const menu = find(context)
    if (!menu) return notFound(context)
    const bytes = Buffer.from(await context.req.arrayBuffer())
    const fault = await findPictureFault(menu, bytes, context.req.header('content-type') ?? '')
    if (fault) return context.json({ message: fault }, 400)
    menu.picture = { bytes, type: context.req.header('content-type')! }
    return context.json({})
  })
  app.post('/v2/bot/user/all/richmenu/:id', context => {
    const menu = find(context)
    if (!menu) return notFound(context)
    if (!menu.picture) return context.json({ message: 'must upload richmenu image before applying it to user' }, 400)
    state.defaultRichMenu = menu.richMenuId
    state.version += 1
    return context.json({})
  })
  app.delete('/v2/bot/richmenu/:id', context => {
    const menu = find(context)
    if (!menu) return notFound(context)
    state.richMenus.delete(menu.richMenuId)
    if (state.defaultRichMenu === menu.richMenuId) delete state.defaultRichMenu
    state.version += 1
    return context.json({})
  })
  return app
}

async function findPictureFault(
  { definition, picture }: RichMenu,
  bytes: Buffer,
  type: string,
): Promise<string | null> {
  if (picture) return 'An image has already been uploaded to the richmenu'
  if (!['image/png', 'image/jpeg'].includes(type)) return 'Unsupported content type'
  if (bytes.length > mostBytes) return 'The image is too large'
  const { width, height } = await sharp(bytes)
    .metadata()
    .catch(() => ({ width: 0, height: 0 }))
  const size = definition.size as { width: number; height: number }
  return width === size.width && height === size.height ? null : 'The image size is not that of the richmenu'
}

function findMenuFaults({ size, name, chatBarText, selected, areas }: Fields): Detail[] {
  const faults: Detail[] = []
  const isSize = isFields(size) && isWhole(size.width, 800) && size.width <= 2500 && isWhole(size.height, 250)
  if (!isSize || (size.width as number) / (size.height as number) < 1.45)
    faults.push({ message: 'invalid size', property: 'size' })
  if (typeof selected !== 'boolean') faults.push({ message: 'May not be null', property: 'selected' })
  if (typeof name !== 'string' || name === '' || name.length > 300)
    faults.push({ message: 'Length must be between 1 and 300', property: 'name' })
  const barLetters = typeof chatBarText === 'string' ? [...graphemes.segment(chatBarText)].length : 0
  if (barLetters < 1 || barLetters > 14)
    faults.push({ message: 'Length must be between 1 and 14', property: 'chatBarText' })
  if (!Array.isArray(areas) || areas.length > mostAreas)
    return [...faults, { message: `Size must be between 0 and ${mostAreas}`, property: 'areas' }]
  return [
    ...faults,
    ...areas.flatMap((area: unknown, index): Detail[] => {
      const at = `areas[${index}]`
      if (!isFields(area) || !isFields(area.bounds)) return [{ message: 'May not be null', property: `${at}.bounds` }]
      const { x, y, width, height } = area.bounds
      const isInside = isWhole(x, 0) && isWhole(y, 0) && isWhole(width, 1) && isWhole(height, 1)
      return [
        ...(isInside ? [] : [{ message: 'invalid bounds', property: `${at}.bounds` }]),
        ...findActionFaults(area.action, `${at}.action`),
      ]
    }),
  ]
}
