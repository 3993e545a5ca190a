// Stands where package.json's "overrides" leave a giant out that nothing here calls; see docs/decisions/0010-local-stack.md.
module.exports = null
