// Editor plug-in: shows who last touched the line, in plain words.
const vscode = require("vscode");
const { execFile } = require("child_process");

function describe(line, author, days) {
  const when = days < 1 ? "today" : days < 8 ? "this week" : `${Math.round(days / 30)} months ago`;
  return `${author} wrote line ${line} ${when}`;
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("whose.line", () => {
      const editor = vscode.window.activeTextEditor;
      const line = editor.selection.active.line + 1;
      execFile("git", ["blame", "-p", "-L", `${line},${line}`, editor.document.fileName], (error, out) => {
        if (error) return;
        const author = /^author (.+)$/m.exec(out)[1];
        const days = (Date.now() / 1000 - Number(/^author-time (\d+)$/m.exec(out)[1])) / 86400;
        vscode.window.showInformationMessage(describe(line, author, days));
      });
    })
  );
};
