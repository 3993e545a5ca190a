export const GameScreen = () => null
