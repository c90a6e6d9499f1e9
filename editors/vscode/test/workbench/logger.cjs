// Stands in for `@vscode/spdlog` in the test host: the same interface over `fs`. The original is native and
// comes without binaries; without any, output channels stay empty.

const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = 2;
    this.plain = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.closeSync(fs.openSync(file, 'a'));
    LEVELS.forEach((name, level) => {
      this[name] = (message) => {
        if (level >= this.level) this.write(name, message);
      };
    });
  }
  write(name, message) {
    const line = this.plain ? message : `${new Date().toISOString().replace(/[TZ]/g, ' ').trim()} [${name}] ${message}\n`;
    fs.appendFileSync(this.file, line);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {
    this.plain = false;
  }
  clearFormatters() {
    this.plain = true;
  }
  flush() {}
  drop() {}
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (name, file) => new Logger('rotating', name, file);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
