import { Component } from "preact";

export class Timer extends Component {
  state = { left: 0 };

  start = (minutes) => {
    clearInterval(this.ticking);
    this.setState({ left: minutes * 60 });
    this.ticking = setInterval(() => this.tick(), 1000);
  };

  tick() {
    const left = this.state.left - 1;
    if (left <= 0) {
      clearInterval(this.ticking);
      new Audio("/shout.mp3").play();
    }
    this.setState({ left: Math.max(0, left) });
  }

  componentWillUnmount() {
    clearInterval(this.ticking);
  }

  render({ recipe }, { left }) {
    return <h1 onClick={() => this.start(recipe.minutes)}>{Math.floor(left / 60)}:{String(left % 60).padStart(2, "0")}</h1>;
  }
}
