/**
 * What an operator has to mend before a command can go on. The message is the whole story: it names the variable, the
 * right or the setting and what to do, so no stack is shown.
 */
export class Refusal extends Error {
  override name = 'Refusal'
}
