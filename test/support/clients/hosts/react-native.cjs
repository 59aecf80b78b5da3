/** What posthog-react-native asks of React Native, for running it without a phone: an app that stays in front. */
module.exports = {
  AppState: { currentState: 'active', addEventListener: () => ({ remove: () => undefined }) },
  Dimensions: { get: () => ({ width: 390, height: 844, scale: 3, fontScale: 1 }) },
  Keyboard: { dismiss: () => undefined },
  Linking: {
    getInitialURL: async () => null,
    canOpenURL: async () => false,
    openURL: async () => undefined,
    addEventListener: () => ({ remove: () => undefined }),
  },
  NativeModules: {},
  Platform: { OS: 'ios', Version: '18.0', constants: {}, select: (choices) => choices.ios ?? choices.default },
  StyleSheet: { create: (styles) => styles, absoluteFill: {} },
}
