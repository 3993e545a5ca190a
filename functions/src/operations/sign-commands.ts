import { Refusal } from '../database/refusal.ts'
import { forgetSign, keepSign, SIGN, SIGN_NAMES, type SignName } from '../pulse/signs.ts'
import { type Command, withDatabase } from './operator.ts'

/** Run after each backup, wherever that runs. From the first time on the pulse misses one that does not come. */
export const backedUp: Command = {
  does: 'tells the shop that a backup was made just now; the pulse is red when the next one does not come',
  run: operator =>
    withDatabase(operator, async db => {
      await keepSign(db, 'backup', new Date())
      operator.say(
        `A backup is known of now. Without another one the pulse is red in ${SIGN.backup.mostSeconds / 3600} h.`,
      )
      return true
    }),
}

const isSign = (name = ''): name is SignName => Object.hasOwn(SIGN, name)

export const forget: Command = {
  does: 'says that the shop has this no more, so that the pulse does not miss it',
  takes: `<${SIGN_NAMES.join('|')}>`,
  run: operator =>
    withDatabase(operator, async db => {
      const [name] = operator.args
      if (!isSign(name)) throw new Refusal(`Say what is given up: forget ${SIGN_NAMES.join(', or forget ')}`)
      const was = await forgetSign(db, name)
      operator.say(
        was ? `The pulse misses ${SIGN[name].about} no more.` : `The shop knew of ${SIGN[name].about} never.`,
      )
      return true
    }),
}
