import type { Me } from '@shop/shared/account/endpoints.ts'
import { ROLES, type Role } from '@shop/shared/permissions.ts'
import { type Guard, isFlag, isNumber, isText, listOf, orNull, shapeOf } from './storage.ts'

const isRole: Guard<Role> = (value): value is Role => ROLES.includes(value as Role)

/** Whether a value is a signed-in person as this browser remembers them until the server has answered. */
export const isRemembered: Guard<Me> = shapeOf<Me>({
  uid: isText,
  username: isText,
  providers: listOf(isText),
  name: isText,
  surname: isText,
  displayName: isText,
  tel: orNull(isText),
  email: orNull(isText),
  emailVerified: isFlag,
  reward: isNumber,
  createdDate: isText,
  isActived: orNull(isFlag),
  role: isRole,
  roleName: isText,
  mustChangePassword: isFlag,
  mustChangePin: isFlag,
  hasWallet: isFlag,
})
