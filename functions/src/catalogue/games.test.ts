import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { type ShownOrder, seenOf, wholeOrder } from '@shop/shared/catalogue/arrange.ts'
import * as shop from '@shop/shared/catalogue/endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPackage,
  failureOf,
  findPackage,
  lastAudit,
  newGame,
  uploadedPicture,
  versionOf,
} from '../testing/catalogue.ts'
import { fixture } from '../testing/fixture.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const save = (body: object, uid = 'manager') => it.as(uid).call(contract.saveGame, { body: body as never })
const refusal = (body: object) => failureOf(it.as('manager'), contract.saveGame, { body: body as never })
const managed = async (id: number) =>
  (await it.as('manager').call(contract.listManagedGames, {})).find(game => game.id === id)!
/** What a save of a listed game sends. */
const asInput = ({ no: _, packageCount: _count, updatedAt: _at, updatedByName: _by, ...rest }: contract.ManagedGame) =>
  rest

describe('saving a game', () => {
  test('a new one stands at the end, with who made it', async () => {
    const game = await save(
      newGame({
        searchWords: ['เกมใหม่', 'new'],
        qmsGameId: 'Q1',
        playerHint: 'ดูในโปรไฟล์',
        fieldFormats: [{ kind: 'digits', min: 5, max: 12 }, null, null, null, null],
      }),
    )
    expect(game).toMatchObject({
      version: 1,
      packageCount: 0,
      updatedByName: 'manager',
      searchWords: ['เกมใหม่', 'new'],
    })
    const all = await it.as('manager').call(contract.listManagedGames, {})
    expect(all.at(-1)).toEqual(game)
    expect(await lastAudit(it, `game:${game.id}`)).toMatchObject({
      action: 'game.save',
      before: null,
      actor_uid: 'manager',
    })
  })

  test('a code is unique, for a new game and for one that is changed, whatever its case of use', async () => {
    const taken = await refusal(newGame({ code: 'pubg' }))
    expect(taken).toMatchObject({
      code: 'GAME_CODE_TAKEN',
      message: 'รหัสเกม pubg ซ้ำ',
      fields: { code: 'รหัสเกม pubg ซ้ำ' },
    })
    const mlbb = await managed(fixture.mlbb.id)
    expect((await refusal({ ...asInput(mlbb), code: 'pubg' })).code).toBe('GAME_CODE_TAKEN')
    expect((await save({ ...asInput(mlbb), desc: 'kept its own code' })).code).toBe('mlbb')
  })

  test.each(['master', 'save', 'saveprice', 'export', 'import', 'bulk', 'copyprice'])('%s is no code', async code => {
    expect((await refusal(newGame({ code }))).fields).toEqual({ code: `ใช้รหัส ${code} ไม่ได้ เพราะเป็นคำของระบบ` })
  })

  test.each<[string, object, string]>([
    ['no code', { code: '' }, 'code'],
    ['a code that is no part of a URL', { code: 'a/b' }, 'code'],
    ['no name', { name: ' ' }, 'name'],
    ['a picture from elsewhere', { picture: 'https://example.com/a.png' }, 'picture'],
    ['a picture outside the folder of pictures', { picture: '/files/../x' }, 'picture'],
    ['nobody to top up', { fieldLabels: ['', 'Zone', '', '', ''] }, 'fieldLabels'],
    ['a player id that is off', { fieldsOn: [false, true, true, true, true] }, 'fieldsOn'],
    ['a script for a picture', { playerHintPicture: 'javascript:alert(1)' }, 'playerHintPicture'],
    ['a filter nobody has', { regions: ['mars'] }, 'regions'],
    ['minutes that run backwards', { usualMinutes: { from: 9, to: 5 } }, 'usualMinutes'],
    [
      'a format nothing fits',
      { fieldFormats: [{ kind: 'digits', min: 9, max: 5 }, null, null, null, null] },
      'fieldFormats.0',
    ],
  ])('refused: %s', async (_, change, field) => {
    const error = await refusal(newGame({ code: 'refused', ...change }))
    expect(error.code).toBe('INVALID_INPUT')
    expect(Object.keys(error.fields!)[0]).toBe(field)
  })

  test('of two admins with the same row the second sees what the first wrote, and overwrites nothing', async () => {
    const read = await managed(fixture.pubg.id)
    const first = await save({ ...asInput(read), name: 'First' }, 'admin')
    const error = await refusal({ ...asInput(read), name: 'Second' })
    expect(error.code).toBe('CONFLICT')
    expect(error.details!.current).toEqual(first)
    expect((await managed(fixture.pubg.id)).name).toBe('First')
    expect((await save({ ...asInput(first), name: 'Second' })).version).toBe(first.version + 1)
  })

  test('of two saves in the same moment one wins', async () => {
    const read = asInput(await managed(fixture.pubg.id))
    const codes = await Promise.all(
      ['admin', 'manager'].map(uid =>
        it.as(uid).codeOf(contract.saveGame, { body: { ...read, name: `by ${uid}` } as never }),
      ),
    )
    expect(codes.sort()).toEqual(['CONFLICT', 'OK'])
    const twice = await Promise.all(
      ['admin', 'manager'].map(uid =>
        it.as(uid).codeOf(contract.saveGame, { body: newGame({ code: 'race' }) as never }),
      ),
    )
    expect(twice.sort()).toEqual(['GAME_CODE_TAKEN', 'OK'])
  })

  test('an unknown game is not there; a version is no option', async () => {
    expect((await refusal(newGame({ id: 999_999, version: 1 }))).code).toBe('GAME_NOT_FOUND')
    expect((await refusal(newGame({ id: fixture.pubg.id }))).code).toBe('CONFLICT')
  })
})

describe('what the storefront is told', () => {
  test('a change is in the next list, and the number it watches has grown', async () => {
    const before = await versionOf(it)
    const game = await managed(fixture.pubg.id)
    await save({ ...asInput(game), name: 'Renamed', searchWords: ['พับจี'], playerHint: 'ใต้ชื่อ' })
    expect(await versionOf(it)).toBeGreaterThan(before)
    const shown = (await it.as(null).call(shop.listGames, {})).find(each => each.id === game.id)!
    expect(shown).toMatchObject({ name: 'Renamed', searchWords: ['พับจี'], playerHint: 'ใต้ชื่อ', isPlayerChecked: false })
    const version = await versionOf(it)
    await it.as(null).call(shop.listGames, {})
    expect(await versionOf(it)).toBe(version)
  })

  test('at midnight in Bangkok the number grows by itself, for prices and sales that begin or end', async () => {
    const { now } = it.clock
    const at = async (text: string) => {
      it.clock.now = new Date(text)
      return versionOf(it)
    }
    const before = await at('2026-11-20T16:59:59.999Z')
    expect(await at('2026-11-19T17:00:00.000Z')).toBe(before)
    expect(await at('2026-11-20T17:00:00.000Z')).toBeGreaterThan(before)
    it.clock.now = now
  })

  test('players are checked where the game names a provider and the shop checks at all', async () => {
    const isChecked = async () =>
      (await it.as(null).call(shop.listGames, {})).map(({ code, isPlayerChecked }) => [code, isPlayerChecked])
    await it.as('admin').call(saveOption, {
      body: { optionName: 'CHECK_MIDASBUY', optionValue: 'true', fromValue: 'false' },
    })
    expect(Object.fromEntries(await isChecked())).toMatchObject({ pubg: true, mlbb: false })
    const check = (gameCode: string, playerId = '5123456789') =>
      it.as(null).codeOf(shop.checkPlayer, { params: { gameCode, playerId } })
    expect([await check('pubg'), await check('mlbb'), await check('nothing')]).toEqual([
      'OK',
      'PLAYER_NOT_FOUND',
      'GAME_NOT_FOUND',
    ])
    await save({ ...asInput(await managed(fixture.mlbb.id)), playerChecks: [{ by: 'midasbuy', gameCode: '' }] })
    expect(await check('mlbb')).toBe('OK')
    const order = { gameId: fixture.mlbb.id, packageId: fixture.mlbb.package, playerId: '1', field2: '2' }
    const body = { ...order, receivingAccountId: 1, termsVersion: '1' }
    expect(await it.as(null).codeOf(orders.confirmPrice, { body, idempotencyKey: onceKey() })).toBe('PLAYER_NOT_FOUND')
    await it.as('admin').call(saveOption, {
      body: { optionName: 'CHECK_MIDASBUY', optionValue: 'false', fromValue: 'true' },
    })
  })

  test('an input of a player is typed as the game says', async () => {
    const formats = [
      { kind: 'digits', min: 5, max: 12 },
      { kind: 'choices', choices: ['2001', '2002'] },
      null,
      null,
      null,
    ]
    await save({ ...asInput(await managed(fixture.mlbb.id)), fieldFormats: formats, playerChecks: [] })
    const buy = (playerId: string, field2: string) => {
      const order = { gameId: fixture.mlbb.id, packageId: fixture.mlbb.package, playerId, field2 }
      const body = { ...order, receivingAccountId: 1, termsVersion: '1' }
      return it.as(null).codeOf(orders.confirmPrice, { body, idempotencyKey: onceKey() })
    }
    expect(await buy('12ab', '2001')).toBe('PLAYER_FIELD_REQUIRED')
    expect(await buy('12345', '2003')).toBe('PLAYER_FIELD_REQUIRED')
    expect(await buy('12345', '2002')).toBe('OK')
  })
})

test('a change never touches orders already made', async () => {
  const guest = it.as(null)
  const body = { gameId: 1, packageId: 1, playerId: '51', receivingAccountId: 1, termsVersion: '1' }
  const made = await guest.call(orders.confirmPrice, { body, idempotencyKey: onceKey() })
  const game = await managed(1)
  const account = (await it.as('admin').call(contract.listManagedAccounts, {}))[0]!
  await save({
    ...asInput(game),
    name: 'Other name',
    picture: await uploadedPicture(it),
    usualMinutes: { from: 1, to: 2 },
  })
  const changed = { ...account, accountName: 'Somebody else', accountNo: '9999999999', code: '014', promptPayId: null }
  await it.as('admin').call(contract.saveReceivingAccount, { body: changed })
  const sold = await findPackage(it, 1, 1)
  await it.as('manager').call(contract.savePackage, {
    body: { id: 1, version: sold.version, gameId: 1, name: 'Other package', isActive: false },
  })
  const after = await guest.call(orders.getOrder, { params: { orderNo: made.orderNo } })
  expect({ ...after, nowDate: made.nowDate }).toEqual(made)
  expect(after.promptPay).not.toBeNull()
  const [waiting] = await guest.call(orders.listWaitingOrders, {})
  expect(waiting).toMatchObject({ gameName: game.name, packageName: '325 UC' })
})

describe('order and filters', () => {
  test('games stand where they were put', async () => {
    const codes = async () => (await it.as('manager').call(contract.listManagedGames, {})).map(({ code }) => code)
    const before = await codes()
    const seen = seenOf(wholeOrder(await it.as('manager').call(contract.listManagedGames, {})))
    const order = [{ id: fixture.mlbb.id, no: 1 }]
    await it.as('manager').call(contract.reorderGames, { body: { order, seen } })
    expect(await codes()).toEqual(['mlbb', ...before.filter(code => code !== 'mlbb')])
    const unknown = { order: [{ id: 999_999, no: 1 }], seen }
    expect(await it.as('manager').codeOf(contract.reorderGames, { body: unknown })).toBe('GAME_NOT_FOUND')
    const [first] = order
    const twice = [
      [first!, { ...first!, no: first!.no + 1 }],
      [first!, { id: first!.id + 1, no: first!.no }],
    ]
    for (const same of twice)
      expect(await it.as('manager').codeOf(contract.reorderGames, { body: { order: same, seen } })).toBe(
        'INVALID_INPUT',
      )
  })

  test('an order made while somebody else moved or added a game meets what is there now', async () => {
    const shown = async () => wholeOrder(await it.as('manager').call(contract.listManagedGames, {}))
    const order = [{ id: fixture.pubg.id, no: 1 }]
    const meet = (seen: ShownOrder) =>
      it.as('admin').call(contract.reorderGames, { body: { order, seen: seenOf(seen) } })
    const [first] = [await shown()]
    const last = first.rows.at(-1)!
    const body = { order: [{ id: last.id, no: 1 }], seen: seenOf(first) }
    await it.as('manager').call(contract.reorderGames, { body })
    const { rows } = await shown()
    await expect(meet(first)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { current: { ...first, rows }, by: { updatedByName: 'manager' } },
    })
    expect((await shown()).rows).toEqual(rows)
    const second = await shown()
    await save(newGame({ code: 'added-meanwhile' }))
    const grown = await shown()
    await expect(meet(second)).rejects.toMatchObject({ code: 'CONFLICT', details: { current: grown } })
    await meet(grown)
    expect((await shown()).rows[0]!.id).toBe(fixture.pubg.id)
    expect(await lastAudit(it, 'gameOrder:all')).toMatchObject({ action: 'game.reorder', actor_uid: 'admin' })
  })

  test('of packages only what was seen must still stand there; the entry names the one that moved', async () => {
    const list = async () =>
      (
        await it.as('manager').call(contract.listManagedPackages, {
          params: { gameId: fixture.pubg.id },
          query: { pageSize: 100 },
        })
      ).rows
    for (let count = 0; count < 6; count++) await addPackage(it, fixture.pubg.id, [], `row ${count}`)
    const rows = await list()
    const move = (id: number, no: number, from: number, size: number, total = rows.length) =>
      it.as('manager').codeOf(contract.reorderPackages, {
        body: {
          gameId: fixture.pubg.id,
          order: [{ id, no }],
          seen: { ids: rows.slice(from - 1, from - 1 + size).map(each => each.id), firstNo: from, total },
        },
      })
    const mover = rows.at(-1)!
    expect(await move(mover.id, 3, rows.length - 1, 2)).toBe('OK')
    expect(await lastAudit(it, `packageOrder:${fixture.pubg.id}`)).toMatchObject({
      before: { [`${mover.name} (${mover.id})`]: rows.length },
      after: { [`${mover.name} (${mover.id})`]: 3 },
    })
    expect(await move(rows[0]!.id, 2, 1, 2)).toBe('OK')
    expect(await move(rows[0]!.id, 1, 1, 2)).toBe('CONFLICT')
    expect(await move(rows[1]!.id, 2, 1, 0)).toBe('INVALID_INPUT')
    expect((await list()).map(({ id }) => id).slice(0, 3)).toEqual([rows[1]!.id, rows[0]!.id, mover.id])
    await addPackage(it, fixture.pubg.id, [], 'one more')
    const seen = { ids: [rows[1]!.id], firstNo: 1, total: rows.length }
    const body = { gameId: fixture.pubg.id, order: [{ id: rows[1]!.id, no: 2 }], seen }
    expect(await it.as('manager').codeOf(contract.reorderPackages, { body })).toBe('CONFLICT')
  })

  test('a filter that games have stays, one that none has goes', async () => {
    const list = () => it.as(null).call(shop.listRegions, {})
    type Tags = Awaited<ReturnType<typeof list>>
    const save = (tags: Tags, seen: Tags) =>
      it.as('manager').call(contract.saveGameTags, { body: { kind: 'region', tags, seen } })
    const tags = async (to: Tags) => save(to, await list())
    const first = await list()
    await tags([
      { code: 'asia', name: 'เอเชีย' },
      { code: 'th', name: 'ไทย' },
    ])
    expect((await list()).map(({ code }) => code)).toEqual(['asia', 'th'])
    const late = await save([], first).catch(each => each)
    expect(late).toMatchObject({
      code: 'CONFLICT',
      details: { current: await list(), by: { updatedByName: 'manager' } },
    })
    const error = await tags([{ code: 'asia', name: 'เอเชีย' }]).catch(each => each)
    expect(error).toMatchObject({ code: 'TAG_IN_USE' })
    expect(error.details.games).toContain('Closed')
    await tags([{ code: 'th', name: 'ประเทศไทย' }])
    expect(await it.as(null).call(shop.listRegions, {})).toEqual([{ code: 'th', name: 'ประเทศไทย' }])
  })

  test('games of the queue system are offered', async () => {
    expect(await it.as('manager').call(contract.listQmsGames, {})).toEqual([{ game_id: 'Q1', game_sdesc: 'PUBG' }])
  })
})

describe('taking back the last change', () => {
  const undo = async (subject: string, uid = 'manager') =>
    it.as(uid).codeOf(undoChange, { body: { auditId: (await lastAudit(it, subject)).id } })

  test('a manager takes the own save back by what it answered, and no other one by mistake', async () => {
    const before = await managed(fixture.mlbb.id)
    const saveAs = async (game: contract.ManagedGame, uid = 'manager') => {
      const { reply, changeId } = await it.as(uid).change(contract.saveGame, { body: asInput(game) })
      return { ...reply, changeId: changeId! }
    }
    const first = await saveAs({ ...before, name: 'Mine' })
    const takeBack = ({ changeId }: { changeId: string }, uid = 'manager') =>
      it.as(uid).codeOf(undoChange, { body: { changeId } })
    expect(await takeBack(first, 'staff')).toBe('FORBIDDEN')
    expect(await takeBack(first)).toBe('OK')
    expect((await managed(before.id)).name).toBe(before.name)
    const unchanged = await saveAs(await managed(before.id))
    expect(await takeBack(unchanged)).toBe('NOT_FOUND')
    const second = await saveAs({ ...unchanged, name: 'Mine again' })
    const theirs = await saveAs({ ...second, name: 'Theirs' }, 'admin')
    expect(await takeBack(second)).toBe('UNDO_CHANGED_SINCE')
    await saveAs({ ...theirs, name: before.name })
  })

  test('writes what was there, as a change of its own that can be taken back again', async () => {
    const before = await managed(fixture.mlbb.id)
    await save({ ...asInput(before), name: 'Wrong', searchWords: [] })
    expect(await undo(`game:${before.id}`)).toBe('OK')
    const after = await managed(before.id)
    expect({ ...after, version: 0, updatedAt: null }).toEqual({ ...before, version: 0, updatedAt: null })
    expect(after.version).toBe(before.version + 2)
    expect((await lastAudit(it, `game:${before.id}`)).action).toBe('change.undo')
    expect(await undo(`game:${before.id}`)).toBe('OK')
    expect((await managed(before.id)).name).toBe('Wrong')
  })

  test('not once something else came after', async () => {
    const game = await save(newGame({ code: 'undone' }))
    const { id: auditId } = await lastAudit(it, `game:${game.id}`)
    await save({ ...asInput(game), name: 'Later' })
    expect(await it.as('manager').codeOf(undoChange, { body: { auditId } })).toBe('UNDO_CHANGED_SINCE')
    expect((await managed(game.id)).name).toBe('Later')
  })

  test('what was added is switched off; an unknown change is none', async () => {
    const game = await save(newGame({ code: 'added' }))
    expect(await undo(`game:${game.id}`)).toBe('OK')
    expect((await managed(game.id)).isActive).toBe(false)
    const auditId = '019a0000-0000-7000-8000-000000000000'
    expect(await it.as('manager').codeOf(undoChange, { body: { auditId } })).toBe('NOT_FOUND')
    expect(await undo('receivingAccount:1')).toBe('FORBIDDEN')
    expect(await undo('receivingAccount:1', 'admin')).toBe('OK')
  })
})
